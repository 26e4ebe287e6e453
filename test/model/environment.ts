/**
 * What comes from outside: the user's commands, crashes of hosts, power cuts, strangers that get a dead process's
 * pid. None of it is owed to anybody, so none of it is fair.
 */
import { type UnsyncedFile, unsyncedFile } from "../../machines/folder.ts"
import type { Input } from "../../machines/index.ts"
import type { Config, Line } from "./config.ts"
import type { Move } from "./explore.ts"
import { commit } from "./log.ts"
import { pastOf, remember } from "./properties.ts"
import { folderOf, publish, runOf, spend, withRun } from "./state.ts"
import { digest, sessionStream, turnIds, type World } from "./world.ts"

export function environmentMoves(config: Config, world: World): Move<World>[] {
  return [...userMoves(config, world), ...hostCrashes(world), ...powerLosses(world), ...strangers(world)]
}

function userMoves(config: Config, world: World): Move<World>[] {
  if (world.owner?.phase !== "live") return []
  const moves: Move<World>[] = []
  const ask = (label: string, at: World | null, input: Input) => {
    const next = at === null ? null : commit(config, at, sessionStream, input)
    if (next !== null) moves.push({ label: `user: ${label}`, fair: false, next })
  }
  const turn = turnIds[world.sent]
  if (turn !== undefined && world.sent < config.turns)
    ask(`send ${turn}`, { ...world, sent: world.sent + 1 }, { type: "send", turn, prompt: digest })
  for (const sent of turnIds.slice(0, world.sent))
    if (pastOf(world, sent).outcomes.length === 0)
      ask(`interrupt ${sent}`, interrupted(world, sent), { type: "interrupt", turn: sent })
  if (world.log.streams[sessionStream]?.value === "paused") ask("go on", world, { type: "resume" })
  return moves
}

function interrupted(world: World, turn: string): World | null {
  const spent = spend(world, "interrupts")
  return spent && remember(spent, turn, { interrupted: true })
}

function hostCrashes(world: World): Move<World>[] {
  const spent = spend(world, "crashes", "hostCrash")
  if (spent === null || world.owner === null) return []
  return [{ label: `host ${world.owner.name} is killed`, fair: false, next: { ...spent, owner: null } }]
}

/** Everything dies. Any of the files that were not synced may be gone, and the spool too. */
function powerLosses(world: World): Move<World>[] {
  const spent = spend(world, "crashes", "powerLoss")
  if (spent === null) return []
  const dark: World = { ...spent, owner: null, deposed: null, stranger: null, boot: world.boot + 1 }
  return Object.keys(world.runs).reduce<Move<World>[]>(
    (moves, run) => moves.flatMap(move => darkenings(move, run)),
    [{ label: "power is lost", fair: false, next: dark }],
  )
}

function darkenings({ label, next }: Move<World>, run: string): Move<World>[] {
  const folder = folderOf(next, run)
  const { spool } = runOf(next, run)
  const published = unsyncedFile.options.filter(file => folder[file] !== null && folder[file] !== "none")
  const spools: (readonly Line[])[] = spool.length > 0 ? [spool, []] : [spool]
  return subsets(published).flatMap(lost =>
    spools.map(kept => {
      const after = publish(next, run, { type: "powerLost", lost }) ?? next
      const gone = [...lost, ...(kept === spool ? [] : ["stdout"])]
      return {
        label: gone.length === 0 ? label : `${label}, with ${gone.join(" and ")}`,
        fair: false,
        next: withRun(after, run, { launchers: [], agents: [], spool: kept }),
      }
    }),
  )
}

const subsets = (files: readonly UnsyncedFile[]): UnsyncedFile[][] =>
  files.reduce<UnsyncedFile[][]>((all, file) => all.concat(all.map(some => [...some, file])), [[]])

function strangers(world: World): Move<World>[] {
  const spent = spend(world, "pidReuse")
  if (spent === null) return []
  return Object.keys(world.runs).flatMap(run => {
    const { launcher, agent, launcherAlive, agentAlive } = folderOf(world, run)
    const dead = [launcherAlive ? null : launcher, agentAlive ? null : agent]
    return dead.flatMap(id =>
      id === null
        ? []
        : [{ label: `a stranger gets pid ${id.pid}`, fair: false, next: { ...spent, stranger: id.pid } }],
    )
  })
}
