/**
 * The whole log, in pages and in order, folded into a set of cache tables. It is how `rebuild` and `verify` know
 * what the caches should be. It reads events only; a stream that contradicts itself is left where it broke.
 */
import type { Snapshot } from "../machines/kernel.ts"
import { idOf } from "../machines/words.ts"
import { type EventRow, type RawRow, selectColumns } from "./chain.ts"
import type { Db } from "./database.ts"
import { decode } from "./decode.ts"
import { derive, type Tables } from "./derive.ts"
import { isRoot } from "./load.ts"
import { type Progress, replayRow, start } from "./replay.ts"
import type { Definitions } from "./types.ts"

const pageRows = 2_000

export interface Broken {
  readonly position: number
  readonly reason: string
}
export interface Folded {
  readonly events: number
  readonly streams: number
  /** Streams that cannot be followed to their end, and where they broke. */
  readonly broken: ReadonlyMap<string, Broken>
  /** Streams that only a migration will make readable; their caches are all that is known of them. */
  readonly unmigrated: ReadonlySet<string>
}

/** Every row of the log in order of position, a page at a time. */
export function* eachRow(db: Db): Generator<RawRow> {
  const page = db.prepare<[number, number], RawRow>(
    `SELECT ${selectColumns} FROM events WHERE position > ? ORDER BY position LIMIT ?`,
  )
  let after = Number.MIN_SAFE_INTEGER
  for (;;) {
    const rows = page.all(after, pageRows)
    yield* rows
    const last = rows.at(-1)?.position
    if (rows.length < pageRows || typeof last !== "number") return
    after = last
  }
}

export function folder(target: Tables, definitions: Definitions) {
  const progress = new Map<string, Progress>()
  const broken = new Map<string, Broken>()
  let events = 0

  function sessionOf(row: EventRow): string | undefined {
    if (isRoot(row.stream)) return idOf(row.stream)
    const known = target.streams.sessionOf(row.stream)
    if (known !== undefined || row.causation === null) return known
    const parent = row.causation.slice(0, row.causation.lastIndexOf("/"))
    return isRoot(parent) ? idOf(parent) : target.streams.sessionOf(parent)
  }

  /** The reason why the row's stream ends here, or null. */
  function follow(raw: RawRow): string | null {
    const decoded = decode(raw, definitions)
    if (!decoded.ok) return decoded.reason
    const { row, data } = decoded
    const replayed = replayRow(definitions, progress.get(row.stream) ?? start, row, data)
    if (!replayed.ok) return replayed.reason
    const session = sessionOf(row)
    if (session === undefined) return "SESSION_UNKNOWN"
    try {
      derive(target, row, session, replayed.outcome)
    } catch {
      return "DERIVE_FAILED"
    }
    progress.set(row.stream, replayed.progress)
    return null
  }

  return {
    add(raw: RawRow): Broken | null {
      events += 1
      const stream = typeof raw.stream === "string" ? raw.stream : "?"
      if (broken.has(stream)) return null
      const reason = follow(raw)
      if (reason === null) return null
      const found = { position: typeof raw.position === "number" ? raw.position : 0, reason }
      broken.set(stream, found)
      return found
    },
    end(): Folded {
      const blind = [...progress].filter(([, at]) => at.blind).map(([stream]) => stream)
      return { events, streams: progress.size, broken, unmigrated: new Set(blind) }
    },
    snapshot: (stream: string): Snapshot | null => progress.get(stream)?.snapshot ?? null,
  }
}
