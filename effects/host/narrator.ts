/**
 * The log's own story, told while it happens: each event of this host's sessions as one line, the turning points of a
 * turn's life from `info` on, every other change of state at `debug`, the rest at `trace`. Names and codes only. At
 * any higher level nobody listens, so it costs nothing.
 */
import { Effect, References } from "effect"
import { isSettled, machineOf } from "../../machines/words.ts"
import type { Store } from "../../store/index.ts"
import type { EventRecord } from "../../store/types.ts"
import { idsOfStream } from "../correlation.ts"
import { Log } from "../log.ts"

/** Until the scope closes. */
export const narrate = Effect.gen(function* () {
  const minimum = yield* References.MinimumLogLevel
  if (!["All", "Trace", "Debug", "Info"].includes(minimum)) return
  const { store } = yield* Log
  const say = Effect.runSyncWith(yield* Effect.context<never>())
  const stop = store.onCommit(({ from, to }) => {
    for (const event of read(store, from, to)) {
      const session = sessionOf(store, event)
      if (session !== null && store.owns(session)) say(tell(store, event, session))
    }
  })
  yield* Effect.addFinalizer(() => Effect.sync(stop))
})

function* read(store: Store, from: number, to: number): Generator<EventRecord> {
  for (let after = from - 1; after < to; ) {
    const page = store.readEvents({ after, limit: Math.min(256, to - after) })
    for (const event of page) if (!event.undecodable) yield event
    const last = page.at(-1)
    if (last === undefined) return
    after = last.position
  }
}

function sessionOf(store: Store, event: EventRecord): string | null {
  const { session, turn } = idsOfStream(event.stream)
  if (session !== undefined) return session
  const row = turn === undefined ? null : store.turn(turn)
  return row === null || row.undecodable ? null : row.session
}

function tell(store: Store, event: EventRecord, session: string): Effect.Effect<void> {
  const { stream, position, type, from, to, actor } = event
  const ids = { ...idsOfStream(stream), session, position }
  const change = {
    event: type,
    from,
    to,
    actor,
    ...(event.cause === "effect" && { effect: event.causation }),
  }
  const point = turningPoint(store, event)
  if (point !== null) return Effect.logInfo(point.words, { ...ids, ...point.fields, ...change })
  const line = [`${machineOf(stream)} ${type}`, { ...ids, ...change }]
  return from === to ? Effect.logTrace(...line) : Effect.logDebug(...line)
}

interface Point {
  readonly words: string
  readonly fields?: Readonly<Record<string, unknown>>
}

/** What is worth a line to somebody who only wants to know how it goes. */
function turningPoint(store: Store, event: EventRecord): Point | null {
  if (event.ignored) return null
  switch (machineOf(event.stream)) {
    case "session":
      return ofSession(event)
    case "turn":
      return ofTurn(store, event)
    default:
      return ofRun(event)
  }
}

function ofSession({ from, to }: EventRecord): Point | null {
  if (from === "absent") return { words: "session launched" }
  return from !== to && ["paused", "archived", "disposed"].includes(to) ? { words: `session ${to}` } : null
}

function ofTurn(store: Store, { stream, data, from, to }: EventRecord): Point | null {
  if (from === "absent") return { words: "turn accepted" }
  if (to === "blocked" && from !== to) return { words: "turn blocked", fields: { reason: data.reason } }
  if (!isSettled(to) || isSettled(from)) return null
  const row = store.turn(idsOfStream(stream).turn ?? "")
  const known = row === null || row.undecodable ? null : row
  const fields = { outcome: to, failure: known?.failure?.code ?? null, degraded: known?.degraded ?? null }
  return { words: "turn settled", fields }
}

function ofRun({ type, data, from, to }: EventRecord): Point | null {
  const lives = ["active", "closing"]
  if (lives.includes(to) && !lives.includes(from)) return { words: "run started" }
  if (type === "found" && from === "active" && to === "active") return { words: "run adopted" }
  if (type === "probed" && from !== to) return { words: "watchdog fired", fields: { timer: data.timer } }
  return null
}
