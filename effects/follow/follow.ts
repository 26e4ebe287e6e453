/**
 * Following a session: the log in order, and where a run started, its spool to its end before the log goes on.
 * So the sequence is the same live and afterwards. It only reads, and works beside a host of another process.
 */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { z } from "zod"
import { context as runContext } from "../../machines/run-inputs.ts"
import { idOf, isSettled, machineOf, noticeCode, streamOf, turnIdOf } from "../../machines/words.ts"
import type { Reader } from "../../store/index.ts"
import type { EventRecord } from "../../store/types.ts"
import type { AgentAdapter } from "../agent.ts"
import { type Cursor, type Followed, start, type TurnEvent } from "./events.ts"
import { settlementOf } from "./settlement.ts"
import { SpoolReader } from "./spool.ts"

export interface FollowOptions {
  readonly store: Reader
  readonly folder: string
  readonly agents: ReadonlyMap<string, AgentAdapter>
  readonly maxLineBytes: number
  readonly pollMs: number
  readonly session: string
  /** Go on behind this one; default: from the session's beginning. */
  readonly cursor?: Cursor | undefined
  /** Only this turn's events, and an end after it has settled. */
  readonly turn?: string | undefined
  /** Wait for what is still to come; otherwise end at what there is. */
  readonly live: boolean
  /** From then on nothing is waited for. */
  readonly until?: AbortSignal | undefined
  readonly signal?: AbortSignal | undefined
}

/** Whether a reader of this session can stand there: not behind the log's end, nor in another session's run. */
export function canStand(store: Reader, session: string, { position, run }: Cursor): boolean {
  if (position > store.lastPosition()) return false
  if (run === null) return true
  const turn = store.turn(turnIdOf(run))
  return turn !== null && !turn.undecodable && turn.session === session
}

export async function* follow(options: FollowOptions): AsyncGenerator<Followed, void, undefined> {
  const { store, session, turn } = options
  const from = options.cursor ?? start
  // The event that the cursor names is looked at again: it may not have been told to its end.
  let after = Math.max(0, from.position - 1)
  let resumed = from.run
  while (options.signal?.aborted !== true) {
    const page = store.readEvents({ after, limit: 256, session })
    for (const event of page) {
      after = event.position
      if (event.undecodable) continue
      const at = event.position === from.position ? from : { ...start, position: event.position }
      const about = turnOf(event)
      const wanted = about !== null && (turn === undefined || about === turn)
      const told = wanted && resumed === null ? tell(options, event) : []
      for (const [index, item] of told.entries()) {
        const cursor = { position: event.position, run: null, offset: 0, index: index + 1 }
        if (index >= at.index) yield { ...item, session, turn: about ?? "", run: runOf(event), cursor }
        // Also for whoever had it already: nothing comes after it.
        if (item.type === "turn.settled" && about === turn) return
      }
      const run = wanted ? (resumed ?? startedRun(event)) : null
      if (run !== null && about !== null) {
        const isWhole = yield* followRun(options, run, about, event.position, resumed === null ? null : at)
        if (!isWhole) return
      }
      resumed = null
    }
    if (page.length === 0 && !(await more(options))) return
  }
}

/**
 * The run's own events, up to the place where its host stopped reading. False: there is more of them to come, so that
 * nothing which comes after them may be told.
 */
async function* followRun(
  options: FollowOptions,
  run: string,
  turn: string,
  position: number,
  from: Cursor | null,
): AsyncGenerator<Followed, boolean, undefined> {
  const { store, session } = options
  const snapshot = store.snapshot(streamOf.run(run))
  const about = snapshot === null ? null : runContext.parse(snapshot.context).about
  const adapter = about === null ? undefined : options.agents.get(about.agent)
  if (about === null || adapter === undefined) return true
  const path = join(options.folder, "runs", run, "stdout")
  const reader = new SpoolReader(path, adapter.translator, about, options.maxLineBytes)
  const isNew = (offset: number, index: number) =>
    from === null || offset > from.offset || (offset === from.offset && index >= from.index)
  const followed = ({
    event,
    offset,
    index,
  }: {
    event: TurnEvent
    offset: number
    index: number
  }): Followed => {
    return { ...event, session, turn, run, cursor: { position, run, offset, index: index + 1 } }
  }
  try {
    while (options.signal?.aborted !== true) {
      const over = isOver(store, run)
      const events = reader.read()
      if (events === "missing" && over) {
        yield followed({ event: { type: "notice", code: "spoolExpired", count: 1 }, offset: 0, index: 0 })
        return true
      }
      if (Array.isArray(events)) {
        for (const item of events) if (isNew(item.offset, item.index)) yield followed(item)
        continue
      }
      if (reader.ended) return true
      if (over) {
        for (const item of reader.finish()) if (isNew(item.offset, item.index)) yield followed(item)
        return true
      }
      if (!(await more(options))) return false
    }
    return false
  } finally {
    reader.close()
  }
}

/** Whether there can be more: yes after a while when live, no otherwise. */
async function more(options: FollowOptions): Promise<boolean> {
  if (!options.live || options.signal?.aborted === true || options.until?.aborted === true) return false
  await sleep(options.pollMs)
  return true
}

/** What the log itself tells a reader with one of its events. */
function tell({ store, session }: FollowOptions, event: EventRecord): readonly TurnEvent[] {
  if (event.ignored) return []
  if (startedRun(event) !== null) return [runStarted(store, idOf(event.stream))]
  if (
    machineOf(event.stream) === "run" &&
    event.type === "found" &&
    event.from === "active" &&
    event.to === "active"
  )
    return [{ type: "run.adopted" }]
  if (machineOf(event.stream) === "run" && event.type === "noticed") return notices(event)
  if (machineOf(event.stream) !== "turn" || !hasSettled(event)) return []
  return settled(store, session, idOf(event.stream))
}

/** What only the end could count, or only the host saw; any other notice was read at its line. */
const toldByLog: ReadonlySet<string> = new Set([
  "notJson",
  "spoolTruncated",
  "unknownLines",
  "toolsDenied",
  "replyTruncated",
  "historyLost",
])
function notices(event: EventRecord): readonly TurnEvent[] {
  const { code, count } = noticed.parse(event.data)
  return toldByLog.has(code) ? [{ type: "notice", code, count }] : []
}
const noticed = z.object({ code: noticeCode, count: z.number() })

function runStarted(store: Reader, run: string): TurnEvent {
  const about = runContext.parse(store.snapshot(streamOf.run(run))?.context).about
  return {
    type: "run.started",
    agent: about?.agent ?? "",
    model: about?.model ?? "",
    resumes: about?.resume ?? null,
  }
}

function settled(store: Reader, session: string, turn: string): readonly TurnEvent[] {
  const { text, historyLost, ...settlement } = settlementOf(store, session, turn)
  return [
    ...(historyLost ? [{ type: "notice", code: "historyLost", count: 1 } as const] : []),
    ...(text === null ? [] : [{ type: "text.final", text } as const]),
    { type: "turn.settled", ...settlement },
  ]
}

function hasSettled(event: EventRecord): boolean {
  return isSettled(event.to) && !isSettled(event.from)
}

/** A run is worth reading from the moment that it can have said something. */
function startedRun(event: EventRecord): string | null {
  const began = ["active", "closing"].includes(event.to) && !["active", "closing"].includes(event.from)
  return machineOf(event.stream) === "run" && began ? idOf(event.stream) : null
}
function isOver(store: Reader, run: string): boolean {
  return store.snapshot(streamOf.run(run))?.value === "closed"
}

function runOf(event: EventRecord): string | null {
  return machineOf(event.stream) === "run" ? idOf(event.stream) : null
}
function turnOf(event: EventRecord): string | null {
  const machine = machineOf(event.stream)
  if (machine === "turn") return idOf(event.stream)
  return machine === "run" ? turnIdOf(idOf(event.stream)) : null
}
