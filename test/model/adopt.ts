/**
 * Adoption: what a host does with what it finds, before its timers are armed. Of a run that is spawning the claim
 * must be known first; one that is active has a claim, so its spool speaks first.
 */
import { type Found, orThrow, rowOf } from "../../machines/index.ts"
import { append, withHost } from "./append.ts"
import type { Config } from "./config.ts"
import { effectMoves } from "./effects.ts"
import type { Move } from "./explore.ts"
import { hostIdentity, look } from "./identities.ts"
import { nextLine } from "./spool.ts"
import { openRun, publish, stateOf } from "./state.ts"
import { timerMoves } from "./timers.ts"
import type { Host, Row, World } from "./world.ts"

export function adoptMoves(config: Config, world: World, host: Host): Move<World>[] {
  const move = (label: string, next: World) => [{ label: `host ${host.name}: ${label}`, fair: true, next }]
  const set = (changes: Partial<Host>) => withHost(world, "owner", { ...host, ...changes })
  const live = () => move("arm timers", set({ phase: "live", seen: null }))
  const run = openRun(world)
  if (run === null) return live()
  const early = config.faults.includes("timersBeforeSpool")
    ? [...timerMoves(config, world, host, run), ...effectMoves(config, world, host, "owner")]
    : []
  const state = stateOf(world, run)
  const launches = world.log.outbox.filter(row => row.kind === "launch")
  const blind = config.faults.includes("launchRepeatedAfterCrash")
  const first = !blind && (state === "spawning" || launches.length > 0)
  if (!host.judged && host.seen === null && (first || state === "active"))
    return [...early, ...move("read the folder", lookAsOwner(config, world, host, run))]
  const judge = (seen: Found) =>
    move(`append found (${rowOf(seen)})`, adopted(config, world, run, seen, first ? launches : []))
  if (first && host.seen !== null) return [...early, ...judge(host.seen)]
  const unread = state === "tombstoning" && config.faults.includes("tombstoningSpoolUnread")
  const line = unread ? null : nextLine(world, run)
  if (line !== null)
    return [...early, ...move(`append ${line.type}`, append(config, world, "owner", run, line))]
  if (host.seen !== null && state === "active") return judge(host.seen)
  return live()
}

/** Whoever is about to judge a claimed run is its owner from now on. */
function lookAsOwner(config: Config, world: World, host: Host, run: string): World {
  const seen = look(config, world, host.name, run)
  const next = withHost(world, "owner", { ...host, seen })
  if (seen.claim !== "launcher") return next
  return publish(next, run, { type: "owned", owner: hostIdentity(config, world, host.name) }) ?? next
}

function adopted(config: Config, world: World, run: string, seen: Found, answers: readonly Row[]): World {
  const done = append(config, world, "owner", run, { type: "found", ...seen }, answers)
  return withHost(done, "owner", { ...orThrow(done.owner), judged: true })
}
