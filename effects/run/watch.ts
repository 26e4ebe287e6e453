/**
 * Watching one run: its spool becomes inputs of its machine, and its folder too. A watch only reports. It
 * starts nothing, ends nothing and writes nothing into the folder.
 */
import { statSync } from "node:fs"
import { Effect, Semaphore } from "effect"
import type { FoundRow } from "../../machines/folder-table.ts"
import type { Input } from "../../machines/kernel.ts"
import { streamOf } from "../../machines/words.ts"
import type { RunStart, SpoolLine, Translator } from "../agent.ts"
import { Log } from "../log.ts"
import { Moments } from "../moments.ts"
import type { RunFolderError } from "../run-folder/errors.ts"
import { RunFolders } from "../run-folder/folder.ts"
import { readEnd, SpoolTail } from "../run-folder/tail.ts"
import { Settings } from "../settings.ts"
import { type Look, look } from "./found.ts"
import { keptText } from "./kept-text.ts"
import { RunObserver } from "./observer.ts"

/** What the log knows of a run, as far as its watch needs it. */
export interface Watched {
  readonly run: string
  readonly session: string
  readonly boot: string | null
  readonly start: RunStart
  readonly translator: Translator
  /** Everything before this byte is in the log. */
  readonly cursor: number
  /** The terminal line is in the log. */
  readonly concluded: boolean
}

/** After this long without a byte, a spool is looked at less often. */
const quietAfterMs = 2_000

export const makeWatch = Effect.fn("makeWatch")(function* (watched: Watched) {
  const log = yield* Log
  const moments = yield* Moments
  const folders = yield* RunFolders
  const settings = yield* Settings
  const { run, session } = watched
  const stream = streamOf.run(run)
  const path = folders.stdoutPath(run)
  const observer = new RunObserver(watched.translator, watched.start, watched.cursor)
  // Somebody may have removed the folder; what is gone says nothing, and must not keep the run from ending.
  const tail = yield* orNothing(SpoolTail.open({ run, path, maxLineBytes: settings.maxLineBytes }), null)
  const oneAtATime = Semaphore.makeUnsafe(1)
  let bytes = 0
  let lastByteAt = moments.awake() - ageOf(path, moments.wall())
  let concluded = watched.concluded
  /** Read to the end, for good: whoever asks again finds nothing new. */
  let finished = false

  /** The adapter's judgement, with the whole reply as a text for the store. */
  const conclude = Effect.fnUntraced(function* (status: number | null) {
    const stderr = yield* orNothing(readEnd(run, folders.stderrPath(run)), "")
    const conclusion = observer.conclude({ status, stderr })
    const noticed = observer.noticed(conclusion.notices)
    const reply = keptText(log.store, session, conclusion.text)
    const explanation = keptText(log.store, session, conclusion.explanation)
    return {
      said: {
        verdict: conclusion.verdict,
        reply: reply.reference,
        explanation: explanation.reference,
      },
      noticed,
      texts: [...reply.text, ...explanation.text],
    }
  })
  const take = Effect.fnUntraced(function* (lines: readonly SpoolLine[], before: readonly Input[]) {
    const inputs = [...before, ...lines.flatMap(line => observer.take(line))]
    if (inputs.length > 0) yield* log.append({ stream, inputs, actor: "agent", correlation: run })
    if (lines.length > 0)
      yield* Effect.logTrace("lines read", { lines: lines.length, cursor: observer.cursor })
  })
  /** Once the terminal line was read, also when the first try at this failed. */
  const tellResult = Effect.gen(function* () {
    if (!observer.ended || concluded) return
    const { said, noticed, texts } = yield* conclude(null)
    const seen = { type: "resultSeen", cursor: observer.cursor, terminal: true, ...said }
    // Before it is durable: whoever then ends the run may interrupt this, and must not tell it again.
    concluded = true
    yield* log.append({ stream, inputs: [...noticed, seen], texts, actor: "agent", correlation: run })
  })

  /** Read what is there now, to its end; true when there was anything new. */
  const readOn = Effect.gen(function* () {
    let any = false
    for (let more = tail !== null && !finished; more && tail !== null; ) {
      const read = yield* tail.read
      more = read.more
      const isNew = read.size !== bytes
      any ||= isNew
      yield* take(read.lines, read.truncated ? observer.truncated() : [])
      if (isNew && bytes > 0 && !observer.waiting) lastByteAt = moments.awake()
      bytes = read.size
    }
    yield* tellResult
    return any
  })
  const drain = oneAtATime.withPermit(readOn)
  /** The last line too, if it has no newline. Only when everything that could write is dead. */
  const finish = Effect.gen(function* () {
    yield* readOn
    const last = finished ? null : (tail?.finish() ?? null)
    if (last !== null) yield* take([last], [])
    yield* tellResult
    finished = true
    tail?.close()
  }).pipe(reading => oneAtATime.withPermit(reading))

  let reported: FoundRow | null = null
  const report = Effect.fnUntraced(function* (seen: Look) {
    const claimed = reported !== null
    if (seen.row === reported || (seen.row === "notDelivered" && !claimed)) return false
    reported = seen.row
    yield* log.append({ stream, inputs: [{ type: "found", ...seen.found }], actor: "host", correlation: run })
    return seen.row !== "adopt" && seen.row !== "elsewhere"
  })

  /** The log knows that the run was claimed. */
  const isKnown = () => reported !== null && reported !== "notDelivered"

  /**
   * Until the run is over or somebody ends it. The folder is read before the spool, so an exit is a full spool.
   * The claim is told before the first line: of a run that is not known to be claimed, no line counts.
   */
  const loop = Effect.gen(function* () {
    const isTold = () => observer.ended && concluded
    for (let busy = false, over = false; !over && !isTold(); ) {
      const seen: Look | null = busy ? null : yield* look(run, watched.boot)
      if (seen !== null && !isKnown()) over = yield* report(seen)
      busy = !over && isKnown() && (yield* drain)
      if (seen !== null && !over && !observer.ended) over = yield* report(seen)
      if (busy || over || isTold()) continue
      const quiet = moments.awake() - lastByteAt > quietAfterMs && isKnown()
      yield* Effect.sleep(quiet ? settings.quietPollMs : settings.pollMs)
    }
  })

  return {
    watched,
    drain,
    loop,
    /** The row that the log already has, so that it is not reported twice. */
    knows: (row: FoundRow) => {
      reported = row
    },
    finish,
    conclude,
    observer,
    silence: () => ({ bytes, silentMs: Math.max(0, Math.round(moments.awake() - lastByteAt)) }),
  }
})
export type Watch = Effect.Success<ReturnType<typeof makeWatch>>

/** Milliseconds since the spool was last written to; 0 when it is empty or cannot be asked. */
function ageOf(path: string, wall: number): number {
  try {
    const { size, mtimeMs } = statSync(path)
    return size === 0 ? 0 : Math.max(0, wall - mtimeMs)
  } catch {
    return 0
  }
}

function orNothing<A, B>(
  reading: Effect.Effect<A, RunFolderError>,
  nothing: B,
): Effect.Effect<A | B, RunFolderError> {
  return reading.pipe(
    Effect.catch(error => (error.code === "MISSING" ? Effect.succeed(nothing) : Effect.fail(error))),
  )
}
