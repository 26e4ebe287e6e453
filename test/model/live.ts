/**
 * A host that lives: it polls the folder and the spool of its run, performs effects, fires timers, and tries a
 * blocked run again. What any of it means is asked of the real machines.
 */
import { type Found, type Input, rowOf } from "../../machines/index.ts"
import { append, withHost } from "./append.ts"
import type { Config } from "./config.ts"
import { effectMoves } from "./effects.ts"
import type { Move } from "./explore.ts"
import { look } from "./identities.ts"
import { commit } from "./log.ts"
import { nextLine } from "./spool.ts"
import { openRun, publish, runOf, stateOf, turnOfRun } from "./state.ts"
import { timerMoves } from "./timers.ts"
import type { Host, World } from "./world.ts"

export function liveMoves(config: Config, world: World, host: Host): Move<World>[] {
  const run = openRun(world)
  if (run === null) return []
  const move = (label: string, next: World) => ({ label: `host ${host.name}: ${label}`, fair: true, next })
  const moves = [
    ...effectMoves(config, world, host, "owner"),
    ...timerMoves(config, world, host, run),
    ...unclaimedMoves(config, world, host, run),
  ]
  const state = stateOf(world, run)
  const line = state === "active" || state === "closing" ? nextLine(world, run) : null
  if (line !== null) moves.push(move(`append ${line.type}`, append(config, world, "owner", run, line)))
  if (host.seen === null && runOf(world, run).spawns > 0) {
    const seen = look(config, world, host.name, run)
    const news = state === "spawning" ? seen.claim !== "none" : state === "active" && isNews(seen)
    if (news) moves.push(move("read the folder", withHost(world, "owner", { ...host, seen })))
  } else if (host.seen !== null) {
    const drained = line === null || config.faults.includes("folderReadAfterSpool")
    const input: Input = { type: "found", ...host.seen }
    if (drained)
      moves.push(move(`append found (${rowOf(host.seen)})`, append(config, world, "owner", run, input)))
  }
  if (state === "blocked") {
    const next = commit(config, world, `turn:${turnOfRun(run)}`, { type: "unblock" })
    if (next !== null) moves.push(move("try again", next))
  }
  return moves
}

const isNews = (seen: Found): boolean => !["adopt", "elsewhere"].includes(rowOf(seen))

/** A launcher that is gone without a claim never will have one; before that is said, nobody else may claim. */
function unclaimedMoves(config: Config, world: World, host: Host, run: string): Move<World>[] {
  const { started } = host
  if (started === null || stateOf(world, run) !== "spawning") return []
  if (started.tombstoned) {
    const failure = { kind: "transient", code: "NEVER_CLAIMED", retryable: true }
    const next = append(config, world, "owner", run, { type: "launchFailed", failure })
    return [{ label: `host ${host.name}: append launchFailed`, fair: true, next }]
  }
  if (runOf(world, run).launchers.some(launcher => launcher.id.pid === started.pid)) return []
  const claimed = publish(world, run, { type: "claimedByHost" })
  if (claimed === null) return []
  const next = withHost(claimed, "owner", { ...host, started: { ...started, tombstoned: true } })
  return [{ label: `host ${host.name}: claim for a launcher that is gone`, fair: true, next }]
}
