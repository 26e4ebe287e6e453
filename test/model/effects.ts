/**
 * The interpreter of a host, effect by effect: every file operation, spawn and signal is a step of its own, and
 * the outcome is appended in another. The first row of the outbox is the only one at work.
 */
import { type Input, orThrow, type ProcessIdentity } from "../../machines/index.ts"
import { append, type Role, withHost } from "./append.ts"
import type { Config, Line } from "./config.ts"
import { endMoves } from "./ending.ts"
import type { Move } from "./explore.ts"
import { bootName, hostIdentity, launcherIdentity, look } from "./identities.ts"
import { runContextOf } from "./log.ts"
import { spawnedBy } from "./properties.ts"
import {
  folderOf,
  type Host,
  type Progress,
  publish,
  type Row,
  runOf,
  spend,
  stateOf,
  type World,
  withRun,
} from "./world.ts"

/** One effect at work: what it may do next, in whose name. */
export interface Work {
  readonly config: Config
  readonly world: World
  readonly host: Host
  readonly role: Role
  readonly row: Row
  readonly progress: Progress
  /** Go on with the effect from here, in a world that it changed. */
  readonly go: (label: string, progress: Progress, world?: World) => Move<World>
  /** Append the outcome, and before it, in the same commit, what else was found out. */
  readonly say: (input: Input, world?: World, before?: readonly Input[]) => Move<World>
}

export function effectMoves(config: Config, world: World, host: Host, role: Role): readonly Move<World>[] {
  const row = host.effect?.row ?? (role === "owner" ? world.log.outbox[0] : undefined)
  if (row === undefined) return []
  const progress = host.effect?.progress ?? ({ at: "taken" } as const)
  const name = `host ${host.name}`
  const work: Work = {
    config,
    world,
    host,
    role,
    row,
    progress,
    go: (label, now, changed = world) => ({
      label: `${name}: ${label}`,
      fair: true,
      next: withHost(changed, role, { ...host, effect: { row, progress: now } }),
    }),
    say: (input, changed = world, before = []) => ({
      label: `${name}: append ${input.type}`,
      fair: true,
      next: append(config, changed, role, row.run, input, [row], before),
    }),
  }
  if (row.kind === "prepare") return prepareMoves(work)
  if (row.kind === "launch") return launchMoves(work)
  if (row.kind === "tombstone") return tombstoneMoves(work)
  if (row.kind === "probe") return probeMoves(work)
  return endMoves(work)
}

const unfair = (move: Move<World>): Move<World> => ({ ...move, fair: false })
const obstacle = { kind: "host", code: "OBSTACLE", retryable: false }

function prepareMoves(work: Work): Move<World>[] {
  const { config, world, host, row, progress, go, say } = work
  if (progress.at === "taken") {
    const spent = spend(world, "obstacle")
    const stopped =
      spent === null
        ? []
        : [
            unfair(say({ type: "blocked", reason: "keyMissing" }, spent)),
            unfair(say({ type: "refused", failure: obstacle }, spent)),
          ]
    return [go("write prompt", { at: "promptWritten" }), ...stopped]
  }
  if (progress.at === "promptWritten") {
    const owner = hostIdentity(config, world, host.name)
    const prepared = publish(world, row.run, { type: "prepared", owner }) ?? world
    return [go("write spec", { at: "specWritten" }, prepared)]
  }
  if (progress.at === "specWritten" && config.faults.includes("spawningNotLogged"))
    return [spawnLauncher(work)]
  return [say({ type: "prepared", boot: bootName(world) })]
}

function launchMoves(work: Work): Move<World>[] {
  const { config, world, host, role, row, progress, go, say } = work
  const { run } = row
  if (progress.at === "spawned") return [say({ type: "launched" })]
  if (progress.at === "spawnFailed") return [claimByHost(world, run, go)]
  // Before a launch is called failed, nobody may be able to claim any more.
  if (progress.at === "claimTried")
    return [
      say(progress.claim === "lost" ? { type: "launched" } : { type: "launchFailed", failure: obstacle }),
    ]
  if (config.faults.includes("spawningNotLogged")) return [say({ type: "launched" })]
  // The check and the spawn are one step: nothing of this process comes between them.
  const wanted = role === "deposed" || stateOf(world, run) === "spawning"
  if (!wanted && !config.faults.includes("launchAfterAbort"))
    return [say({ type: "found", ...look(config, world, host.name, run) })]
  const moves = [spawnLauncher(work)]
  const spent = spend(world, "obstacle")
  if (spent === null) return moves
  const blocked = say({ type: "blocked", reason: "keyMissing" }, spent)
  return [...moves, unfair(go("spawn fails", { at: "spawnFailed" }, spent)), unfair(blocked)]
}

function spawnLauncher({ config, world, host, role, row }: Work): Move<World> {
  const { launchers, spawns } = runOf(world, row.run)
  const id: ProcessIdentity = launcherIdentity(config, world, row.run, host.name)
  const launcher = { id, at: "started", ending: false } as const
  const spawned = withRun(world, row.run, { launchers: [...launchers, launcher], spawns: spawns + 1 })
  const started = { pid: id.pid, tombstoned: false }
  return {
    label: `host ${host.name}: spawn launcher ${id.pid}`,
    fair: true,
    next: withHost(role === "owner" ? spawnedBy(spawned, row.run) : spawned, role, {
      ...host,
      started,
      effect: { row, progress: { at: "spawned" } },
    }),
  }
}

function tombstoneMoves({ config, world, row, progress, go, say }: Work): Move<World>[] {
  const { run } = row
  if (progress.at === "claimTried") {
    if (progress.claim === "tombstoned" || config.faults.includes("claimLostIgnored"))
      return [say({ type: "tombstoned" })]
    return [say({ type: "claimLost", launcher: orThrow(folderOf(world, run).launcher) })]
  }
  if (config.faults.includes("missingTombstone"))
    return [go("claim", { at: "claimTried", claim: "tombstoned" })]
  return [claimByHost(world, run, go)]
}

function claimByHost(world: World, run: string, go: Work["go"]): Move<World> {
  const claimed = publish(world, run, { type: "claimedByHost" })
  const mine = claimed !== null || folderOf(world, run).claim === "host"
  return go("claim", { at: "claimTried", claim: mine ? "tombstoned" : "lost" }, claimed ?? world)
}

function probeMoves({ world, host, row, progress, go, say }: Work): Move<World>[] {
  const { timer } = row.params
  if (progress.at === "probed")
    return [say({ type: "probed", timer, bytes: progress.lines, silentMs: progress.silent ? 9 : 0 })]
  const read = host.phase === "adopting" ? runContextOf(world, row.run).cursor : spoolOf(world, row).length
  const probe = (silent: boolean) =>
    go(silent ? "look at the spool, silent for long" : "look at the spool", {
      at: "probed",
      lines: read,
      silent,
    })
  return [probe(false), probe(true)]
}

export const spoolOf = (world: World, row: Row): readonly Line[] => runOf(world, row.run).spool
