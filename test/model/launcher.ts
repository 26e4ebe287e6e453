/**
 * A launcher: one small step each, file by file, as its program makes them; its watchdog, and its sudden death.
 * It knows the folder and nothing of the log.
 */
import type { Config } from "./config.ts"
import { killAgent, removeLauncher, replace } from "./deaths.ts"
import type { Move } from "./explore.ts"
import { agentIdentity, hostPid } from "./identities.ts"
import { folderOf, publish, spend, withRun } from "./state.ts"
import type { Agent, Launcher, Run, World } from "./world.ts"

export function launcherMoves(
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
    host => host !== null && owner?.pid === hostPid(host.name),
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
