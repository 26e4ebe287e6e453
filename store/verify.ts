/**
 * Whether the log is what was written, whether its replay agrees with what it says, and whether the caches are
 * what follows from it. Reads only, in one consistent view, and reports garbage instead of throwing on it.
 */
import { streamOf } from "../machines/words.ts"
import { chainChecker } from "./chain-check.ts"
import type { Db } from "./database.ts"
import { eachRow, type Folded, folder } from "./fold.ts"
import type { Cache } from "./schema.ts"
import { type CacheRow, cacheKey, cacheNames, cacheRows, streamOfRow, withScratch } from "./scratch.ts"
import { textChecker } from "./text-check.ts"
import type { Definitions, Head } from "./types.ts"

/** Something that is not as it was written, or does not follow from what was. */
export interface Problem {
  /** 0 where no position can be named. */
  readonly position: number
  /** Name of the stream, or of the cache's table. */
  readonly stream: string
  /** The column, where one can be named. */
  readonly column?: string
  /** `CACHE_DIFFERS` is healed by a rebuild; everything else is about the log itself. */
  readonly code: string
  /** For a person. */
  readonly message: string
}
/** What a look at the whole log found. */
export interface VerifyReport {
  /** No problem was found. */
  readonly ok: boolean
  /** Events that were looked at. */
  readonly events: number
  /** Streams they belong to. */
  readonly streams: number
  /** To be kept elsewhere: given to a later verify, it shows a tail that was cut off. */
  readonly head: Head
  /** The first thousand. */
  readonly problems: readonly Problem[]
}

const maxProblems = 1_000

export function verify(db: Db, definitions: Definitions, expected?: Head): VerifyReport {
  const chain = chainChecker(expected)
  const problems: Problem[] = []
  const tell = (problem: Problem) => {
    if (problems.length < maxProblems) problems.push(problem)
  }
  const epochs = epochWatch()
  const counted = { events: 0, streams: 0 }

  const look = () =>
    withScratch(scratch => {
      const fold = folder(scratch.tables, definitions)
      const texts = textChecker(db)
      for (const raw of eachRow(db)) {
        const position = typeof raw.position === "number" ? raw.position : 0
        const stream = typeof raw.stream === "string" ? raw.stream : "?"
        for (const code of chain.add(raw)) tell({ position, stream, code, message: messages[code] })
        const broken = fold.add(raw)
        const session = scratch.tables.streams.sessionOf(stream)
        for (const code of texts.named(session, raw.data))
          tell({ position, stream, code, message: messages[code] })
        if (epochs.fallsBack(session, raw.epoch))
          tell({
            position,
            stream,
            column: "epoch",
            code: "EPOCH_FALLS_BACK",
            message: messages.EPOCH_FALLS_BACK,
          })
        if (broken !== null)
          tell({ position, stream, code: broken.reason, message: `the replay of ${stream} ends here` })
      }
      const folded = fold.end()
      Object.assign(counted, { events: folded.events, streams: folded.streams })
      for (const code of chain.end())
        tell({ position: expected?.position ?? 0, stream: "?", code, message: messages[code] })
      compareCaches(db, scratch.db, folded, tell)
      for (const { session, problem: code } of texts.kept())
        tell({ position: 0, stream: streamOf.session(session), code, message: messages[code] })
      for (const message of damagedPages(db))
        tell({ position: 0, stream: "?", code: "FILE_DAMAGED", message })
    })

  try {
    // One read transaction: an owner that writes meanwhile does not make the caches look wrong.
    db.transaction(look).deferred()
  } catch (error) {
    const message = error instanceof Error ? error.message : "unknown error"
    tell({ position: chain.head().position, stream: "?", code: "UNREADABLE", message })
  }
  return { ok: problems.length === 0, ...counted, head: chain.head(), problems }
}

/** A session's epoch only grows: an older one later in the log was written by a host that had been deposed. */
function epochWatch() {
  const latest = new Map<string, number>()
  return {
    fallsBack(session: string | undefined, epoch: unknown): boolean {
      if (session === undefined || typeof epoch !== "number") return false
      const before = latest.get(session) ?? 0
      latest.set(session, Math.max(before, epoch))
      return epoch < before
    },
  }
}

/** What SQLite itself says of its file; nothing when it is whole. */
function damagedPages(db: Db): readonly string[] {
  const rows = db.prepare<[], { quick_check: string }>("PRAGMA quick_check(16)").all()
  return rows.map(row => row.quick_check).filter(message => message !== "ok")
}

const messages = {
  TEXT_MISSING: "a text that this row names is gone, although its session was not erased",
  TEXT_DIFFERS: "a text of this session is not what was said: its bytes were changed",
  TEXT_UNNAMED: "a text is there without a key that could name it",
  EPOCH_FALLS_BACK: "a deposed host wrote this row",
  POSITION_GAP: "a row before this one is missing, or rows were reordered",
  PREV_DIFFERS: "the row before this one is not the one that was there when it was written",
  HASH_DIFFERS: "a column of this row was changed",
  HEAD_MISSING: "the log ends before the given head: its tail was cut off",
  HEAD_DIFFERS: "this row is not the given head: the log was rewritten",
} as const

function compareCaches(
  db: Db,
  fresh: Db,
  { unmigrated, broken }: Folded,
  tell: (problem: Problem) => void,
): void {
  for (const cache of cacheNames) {
    const skip = (row: CacheRow) => {
      const stream = streamOfRow(cache, row) ?? ""
      return unmigrated.has(stream) || broken.has(stream) // already told, and nothing to compare with
    }
    const have = keyed(cache, cacheRows(db, cache), skip)
    const want = keyed(cache, cacheRows(fresh, cache), skip)
    for (const key of new Set([...have.keys(), ...want.keys()])) {
      const [found, expected] = [have.get(key), want.get(key)]
      const column = differingColumn(found, expected)
      if (column === null) continue
      const row = found ?? expected ?? {}
      const what =
        found === undefined ? "is missing" : expected === undefined ? "should not be there" : "differs"
      tell({
        position: typeof row.position === "number" ? row.position : 0,
        stream: streamOfRow(cache, row) ?? "?",
        column,
        code: "CACHE_DIFFERS",
        message: `${cache} row ${key} ${what}; rebuild makes it anew`,
      })
    }
  }
}

function keyed(cache: Cache, rows: CacheRow[], skip: (row: CacheRow) => boolean): Map<string, CacheRow> {
  return new Map(rows.filter(row => !skip(row)).map(row => [cacheKey(cache, row), row]))
}

function differingColumn(a: CacheRow | undefined, b: CacheRow | undefined): string | null {
  if (a === undefined || b === undefined) return "*"
  return Object.keys(a).find(column => a[column] !== b[column]) ?? null
}
