/**
 * The verbs that read, for a process that owns nothing as well as for a host. They take no lock, write nothing
 * and step nothing.
 */
import type { Snapshot } from "../machines/kernel.ts"
import { blobsTable } from "./blobs.ts"
import type { RawRow } from "./chain.ts"
import { type Db, guarded } from "./database.ts"
import { cacheTables } from "./derive.ts"
import { type InboxAnswer, inbox } from "./inbox.ts"
import { type OutboxQuery, readOutbox } from "./outbox.ts"
import { type EventQuery, reads } from "./read.ts"
import { toSnapshot } from "./streams.ts"
import { readTimers } from "./timers.ts"
import type {
  Definitions,
  EventRecord,
  Head,
  OutboxRow,
  QuarantinedStream,
  SessionRow,
  TimerRow,
  TurnRow,
  Undecodable,
} from "./types.ts"
import { type VerifyReport, verify } from "./verify.ts"

/** The verbs that read. Each answers as of now, and throws `StoreUnavailable` when the disk does not. */
export interface Reader {
  /** Events after a position, in order; a page shorter than the limit (at most 1,000) is the last for now. */
  readonly readEvents: (query: EventQuery) => (EventRecord | Undecodable)[]
  /** The same rows exactly as stored, for export. */
  readonly rawEvents: (query: EventQuery) => RawRow[]
  /** 0: the log is empty. Cheap enough to poll. */
  readonly lastPosition: () => number
  /** Position and hash of the last event, to be kept elsewhere and given to `verify` later. */
  readonly head: () => Head
  /** Null: there is no such session. */
  readonly session: (id: string) => SessionRow | Undecodable | null
  /** Oldest first. */
  readonly sessions: () => (SessionRow | Undecodable)[]
  /** Null: there is no such turn. */
  readonly turn: (id: string) => TurnRow | Undecodable | null
  /** Turns of one session, oldest first. */
  readonly turns: (session: string) => (TurnRow | Undecodable)[]
  /** Effects without an outcome, in the order in which they were asked for. */
  readonly outbox: (query?: OutboxQuery) => (OutboxRow | Undecodable)[]
  /** Armed timers, the earliest armed first. */
  readonly timers: () => TimerRow[]
  /** Streams found unusable so far. */
  readonly quarantined: () => QuarantinedStream[]
  /** A stream's state as of its last event; null when there is no such stream. */
  readonly snapshot: (stream: string) => Snapshot | null
  /** Null: there is no such session; `host` is null when it was let go. */
  readonly ownerOf: (session: string) => { readonly host: string | null; readonly epoch: number } | null
  /** Null: never stored, or erased. */
  readonly readText: (session: string, digest: string) => Uint8Array | null
  /** HMAC-SHA-256, lower-case hex, under the session's key. Throws `SessionErased`. */
  readonly keyedDigest: (session: string, bytes: Uint8Array | string) => string
  /** What became of a command that was posted. */
  readonly inboxAnswer: (id: string) => InboxAnswer
  /** Never throws on a damaged log; `head` is one exported earlier. */
  readonly verify: (options?: { readonly head?: Head | undefined }) => VerifyReport
  /** Closes the connection; whatever is asked afterwards throws. */
  readonly close: () => void
}

export function readerOf(
  db: Db,
  definitions: Definitions,
  owns = (_session: string): boolean => false,
): Reader {
  const read = reads(db, definitions)
  const tables = cacheTables(db)
  const blobs = blobsTable(db)
  const owner = db.prepare<[string], { host: string | null; epoch: number }>(
    "SELECT host, epoch FROM owners WHERE session = ?",
  )
  const posted = inbox(db, {
    receipt: command => tables.receipts.find(command),
    sessionOf: stream => tables.streams.sessionOf(stream),
    owns,
    blobs,
  })
  return {
    readEvents: query => guarded(() => read.readEvents(query)),
    rawEvents: query => guarded(() => read.rawEvents(query)),
    lastPosition: () => guarded(() => read.head().position),
    head: () => guarded(() => read.head()),
    session: id => guarded(() => read.session(id)),
    sessions: () => guarded(() => read.sessions()),
    turn: id => guarded(() => read.turn(id)),
    turns: session => guarded(() => read.turns(session)),
    quarantined: () => guarded(() => read.quarantined()),
    outbox: (query = {}) => guarded(() => readOutbox(db, query, owns)),
    timers: () => guarded(() => readTimers(db)),
    snapshot(stream) {
      const row = guarded(() => tables.streams.find(stream))
      return row === undefined ? null : toSnapshot(row)
    },
    ownerOf: session => guarded(() => owner.get(session) ?? null),
    readText: (session, digest) => guarded(() => blobs.read(session, digest)),
    keyedDigest: (session, bytes) => guarded(() => blobs.digest(session, bytes)),
    inboxAnswer: id => guarded(() => posted.answer(id)),
    verify: (options = {}) => verify(db, definitions, options.head),
    close: () => void db.close(),
  }
}
