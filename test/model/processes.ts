/**
 * Launchers and agents: one small step each, file by file, as the launcher's program makes them; and how they
 * die. They know the folder and nothing of the log.
 */
import { orThrow } from "../../machines/index.ts"
import type { Config } from "./config.ts"
import type { Move } from "./explore.ts"
import { agentIdentity } from "./identities.ts"
import { delivered } from "./properties.ts"
import {
  type Agent,
  folderOf,
  type Launcher,
  publish,
  type Run,
  runOf,
  spend,
  type World,
  withRun,
} from "./world.ts"

const replace = <T>(list: readonly T[], old: T, now: T): readonly T[] =>
  list.map(item => (item === old ? now : item))
const without = <T>(list: readonly T[], old: T): readonly T[] => list.filter(item => item !== old)

export function processMoves(config: Config, world: World): Move<World>[] {
  return Object.entries(world.runs).flatMap(([id, run]) => [
    ...run.launchers.flatMap(launcher => launcherMoves(config, world, id, run, launcher)),
    ...run.agents.flatMap(agent => agentMoves(config, world, id, run, agent)),
  ])
}

function launcherMoves(
  config: Config,
  world: World,
  id: string,
  run: Run,
  launcher: Launcher,
): Move<World>[] {
  const name = `launcher ${launcher.id.pid}`
  const set = (at: World, changes: Partial<Launcher>) =>
    withRun(at, id, { launchers: replace(run.launchers, launcher, { ...launcher, ...changes }) })
  const mine = run.agents.filter(agent => agent.parent === launcher.id.pid)
  const moves: Move<World>[] = []
  const fair = (label: string, next: World | null) => {
    if (next !== null) moves.push({ label: `${name}: ${label}`, fair: true, next })
  }

  if (launcher.at === "started") {
    const claimed = publish(world, id, { type: "claimedByLauncher", launcher: launcher.id })
    if (claimed !== null) fair("claim", set(claimed, { at: "claimed" }))
    else if (config.faults.includes("claimNotExclusive")) fair("claim again", set(world, { at: "claimed" }))
    else fair("claim is taken, leave", removeLauncher(world, id, launcher))
  }
  if (launcher.at === "claimed" && !launcher.ending) {
    const agent: Agent = { id: agentIdentity(launcher.id), parent: launcher.id.pid, at: "starting", wrote: 0 }
    const forked = set(world, { at: "waiting" })
    fair("fork", withRun(forked, id, { agents: [...run.agents, agent] }))
  }
  if ((launcher.at === "waiting" || (launcher.at === "claimed" && launcher.ending)) && mine.length === 0)
    fair(
      "publish exit",
      set(
        publish(world, id, {
          type: "exitPublished",
          status: run.status,
          failure: folderOf(world, id).agent === null ? "exec" : null,
        }) ?? world,
        { at: "done" },
      ),
    )
  if (launcher.at === "done") fair("leave", removeLauncher(world, id, launcher))

  const owner = folderOf(world, id).owner
  const attended = [world.owner, world.deposed].some(
    host => host !== null && owner?.pid === (host.name === "A" ? 901 : 902),
  )
  if ((launcher.at === "claimed" || launcher.at === "waiting") && !launcher.ending && !attended) {
    const spent = spend(world, "unattended")
    const ended = spent && publish(spent, id, { type: "endedPublished", reason: "unattended" })
    if (ended !== null)
      moves.push({ label: `${name}: publish ended`, fair: false, next: set(ended, { ending: true }) })
  }
  if (launcher.ending && mine[0] !== undefined) fair("end the agent", killAgent(world, id, mine[0]))

  const crashed = spend(world, "crashes", "launcherCrash")
  if (crashed !== null)
    moves.push({ label: `${name} is killed`, fair: false, next: removeLauncher(crashed, id, launcher) })
  return moves
}

function agentMoves(config: Config, world: World, id: string, run: Run, agent: Agent): Move<World>[] {
  const name = `agent ${agent.id.pid}`
  const set = (at: World, changes: Partial<Agent>) =>
    withRun(at, id, { agents: replace(run.agents, agent, { ...agent, ...changes }) })
  const moves: Move<World>[] = []
  const line = config.script[agent.wrote]
  if (agent.at === "starting") {
    const started = publish(world, id, { type: "agentStarted", agent: agent.id }) ?? world
    moves.push({ label: `${name}: publish agent`, fair: true, next: set(started, { at: "published" }) })
  } else if (agent.at === "published") {
    moves.push({
      label: `${name}: read the prompt`,
      fair: true,
      next: delivered(set(world, { at: "running" }), id),
    })
    const spent = spend(world, "obstacle")
    const back = spent && publish(spent, id, { type: "agentTakenBack" })
    if (back !== null)
      moves.push({
        label: `${name}: cannot be executed`,
        fair: false,
        next: removeAgent(back, id, agent, 127),
      })
  } else if (line !== undefined) {
    const wrote = set(world, { wrote: agent.wrote + 1 })
    moves.push({
      label: `${name}: write ${line}`,
      fair: true,
      next: withRun(wrote, id, { spool: [...run.spool, line] }),
    })
  } else moves.push({ label: `${name}: exit`, fair: true, next: endAgent(world, id, agent, 0) })

  const crashed = spend(world, "crashes", "agentCrash")
  if (crashed !== null)
    moves.push({ label: `${name} dies`, fair: false, next: endAgent(crashed, id, agent, 1) })
  return moves
}

export function removeLauncher(world: World, id: string, launcher: Launcher): World {
  const next = withRun(world, id, { launchers: without(runOf(world, id).launchers, launcher) })
  const claimant = folderOf(world, id).launcher
  return claimant?.pid === launcher.id.pid ? orThrow(publish(next, id, { type: "launcherDied" })) : next
}

/** By a signal, from us or from the launcher. */
export const killAgent = (world: World, id: string, agent: Agent): World => endAgent(world, id, agent, 137)

function endAgent(world: World, id: string, agent: Agent, status: number): World {
  const next = removeAgent(world, id, agent, status)
  const published = folderOf(world, id).agent
  return published?.pid === agent.id.pid ? orThrow(publish(next, id, { type: "agentDied" })) : next
}
function removeAgent(world: World, id: string, agent: Agent, status: number): World {
  return withRun(world, id, { agents: without(runOf(world, id).agents, agent), status })
}
