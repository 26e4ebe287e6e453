/**
 * A host as a process of small steps: it takes the ownership, adopts, answers what was outstanding, arms its
 * timers, and then lives: polls, effects, timers. What it decides is the real machines' business.
 */
import { type Found, type Input, orThrow, rowOf } from "../../machines/index.ts"
import { append, withHost } from "./append.ts"
import type { Config, Line } from "./config.ts"
import { effectMoves } from "./effects.ts"
import type { Move } from "./explore.ts"
import { hostIdentity, look } from "./identities.ts"
import { commit, runContextOf } from "./log.ts"
import {
  breakBy,
  type Host,
  openRun,
  publish,
  runOf,
  spend,
  stateOf,
  turnOfRun,
  type World,
} from "./world.ts"

export function hostMoves(config: Config, world: World): Move<World>[] {
  const { owner, deposed } = world
  return [
    ...openMoves(world),
    ...(owner?.phase === "adopting" ? adoptMoves(config, world, owner) : []),
    ...(owner?.phase === "live" ? liveMoves(config, world, owner) : []),
    ...(deposed === null ? [] : effectMoves(config, world, deposed, "deposed")),
  ]
}

function openMoves(world: World): Move<World>[] {
  const { nextHost: name, owner } = world
  const opened = (at: World): World => ({
    ...at,
    owner: { name, phase: "adopting", judged: false, seen: null, effect: null, started: null },
    nextHost: name === "A" ? "B" : "A",
  })
  if (owner === null && world.deposed?.name !== name)
    return [{ label: `host ${name}: open`, fair: true, next: opened(world) }]
  const spent = world.deposed === null && owner?.phase === "live" ? spend(world, "takeover") : null
  if (spent === null || owner === null) return []
  // What it had taken up goes on until it tries to append.
  const row = spent.log.outbox[0]
  const effect = owner.effect ?? (row === undefined ? null : { row, progress: { at: "taken" } as const })
  const next = opened({ ...spent, deposed: { ...owner, seen: null, effect } })
  return [{ label: `host ${name}: take over from ${owner.name}`, fair: false, next }]
}

/** For a run that may have a folder: first a look at it, for `spawning` judged at once, for `active` after the spool. */
function adoptMoves(config: Config, world: World, host: Host): Move<World>[] {
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
  const line = nextLine(world, run)
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

function adopted(
  config: Config,
  world: World,
  run: string,
  seen: Found,
  answers: World["log"]["outbox"],
): World {
  const done = append(config, world, "owner", run, { type: "found", ...seen }, answers)
  return withHost(done, "owner", { ...orThrow(done.owner), judged: true })
}

function liveMoves(config: Config, world: World, host: Host): Move<World>[] {
  const run = openRun(world)
  if (run === null) return []
  const move = (label: string, next: World) => ({ label: `host ${host.name}: ${label}`, fair: true, next })
  const moves = [...effectMoves(config, world, host, "owner"), ...timerMoves(config, world, host, run)]
  moves.push(...unclaimedMoves(config, world, host, run))
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

const isNews = (seen: Found): boolean => !["adopt", "elsewhere"].includes(rowOf(seen))

/** What the next unread line of the spool tells the log. Where a run is ending, only the terminal line counts. */
function nextLine(world: World, run: string): Input | null {
  const { spool } = runOf(world, run)
  const { cursor, conclusion } = runContextOf(world, run)
  const state = stateOf(world, run)
  if (state === "active") {
    const line = spool[cursor]
    return line === undefined ? null : lineInput(line, cursor + 1)
  }
  const ending = state === "closing" || state === "tombstoning"
  return ending && conclusion === null && spool.includes("terminal")
    ? lineInput("terminal", spool.length)
    : null
}

export const verdict = (answered: boolean) => ({
  outcome: answered ? "succeeded" : "failed",
  failure: answered ? null : { kind: "crashed", code: "NO_RESULT", retryable: false },
  degraded: null,
  emptyReply: false,
  conversation: "reusable",
  usage: null,
  deniedTools: 0,
  unknownLines: 0,
})

function lineInput(line: Line, cursor: number): Input {
  if (line === "identified") return { type: "identified", cursor, conversation: "c" }
  if (line === "text") return { type: "spoke", cursor }
  return { type: "resultSeen", cursor, terminal: true, verdict: verdict(true), reply: null }
}

/**
 * A timer's time is long against a poll: the one for the claim passes only where a poll would see no claim. With
 * the planted fault it is due while nobody has looked.
 */
function timerMoves(config: Config, world: World, host: Host, run: string): Move<World>[] {
  return world.log.timers.flatMap(timer => {
    if (timer.run !== run || !config.timers.includes(timer.id)) return []
    const seen = look(config, world, host.name, run)
    if (timer.id === "claim" && seen.claim !== "none" && host.phase === "live") return []
    const log = { ...world.log, timers: world.log.timers.filter(row => row !== timer) }
    const fired = append(config, { ...world, log }, "owner", run, { type: "timer", id: timer.id })
    const healthy = timer.id === "elsewhere" && rowOf(seen) === "adopt" && stateOf(fired, run) === "closing"
    const next = healthy ? breakBy(fired, "I22", "time alone ended a run that lives here") : fired
    return [{ label: `host ${host.name}: timer ${timer.id}`, fair: true, next }]
  })
}
