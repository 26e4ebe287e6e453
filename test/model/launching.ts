/** Preparing a run and starting its launcher, with what may stand in the way. Whoever claims first is not decided here. */

import { withHost } from "./append.ts"
import { claimByHost } from "./claiming.ts"
import type { Move } from "./explore.ts"
import { bootName, hostIdentity, launcherIdentity, look } from "./identities.ts"
import { spawnedBy } from "./properties.ts"
import { publish, runOf, spend, stateOf, withRun } from "./state.ts"
import type { Work } from "./work.ts"
import type { World } from "./world.ts"

const unfair = (move: Move<World>): Move<World> => ({ ...move, fair: false })
const obstacle = { kind: "host", code: "OBSTACLE", retryable: false }

export function prepareMoves(work: Work): Move<World>[] {
  const { config, world, host, row, progress, go, say } = work
  if (progress.at === "taken") {
    const spent = spend(world, "obstacle")
    const stopped =
      spent === null
        ? []
        : [
            unfair(say({ type: "blocked", reason: "keyMissing" }, spent)),
            unfair(say({ type: "refused", failure: obstacle, explanation: null }, spent)),
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

export function launchMoves(work: Work): Move<World>[] {
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
  const id = launcherIdentity(config, world, row.run, host.name)
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
