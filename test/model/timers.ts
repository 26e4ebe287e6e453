/**
 * Timers that fire. A timer's time is long against a poll: the one for the claim passes only where a poll would
 * see no claim. With the planted fault it is due while nobody has looked.
 */
import { rowOf } from "../../machines/index.ts"
import { append } from "./append.ts"
import type { Config } from "./config.ts"
import type { Move } from "./explore.ts"
import { look } from "./identities.ts"
import { breakBy, stateOf } from "./state.ts"
import type { Host, World } from "./world.ts"

export function timerMoves(config: Config, world: World, host: Host, run: string): Move<World>[] {
  return world.log.timers.flatMap(timer => {
    if (timer.run !== run || !config.timers.includes(timer.id)) return []
    const seen = look(config, world, host.name, run)
    if (timer.id === "claim" && seen.claim !== "none" && host.phase === "live") return []
    const log = { ...world.log, timers: world.log.timers.filter(row => row !== timer) }
    const fired = append(config, { ...world, log }, "owner", run, { type: "timer", id: timer.id })
    const ended = ["tombstoning", "closing"].includes(stateOf(fired, run))
    const healthy = ended && rowOf(seen) === "adopt"
    const next = healthy ? breakBy(fired, "I22", "time alone ended a run that lives here") : fired
    return [{ label: `host ${host.name}: timer ${timer.id}`, fair: true, next }]
  })
}
