/**
 * What readers ask, as typed rows. Every row is parsed, and one that cannot be is handed out as such instead of
 * failing the page. Pages only: no cursor is left open, so a slow reader never holds the log's checkpoint back.
 */
import { genesis, type RawRow, selectColumns } from "./chain.ts"
import type { Db } from "./database.ts"
import { type Decoded, decode } from "./decode.ts"
import { toSession, toTurn } from "./projected-rows.ts"
import type {
  Definitions,
  EventRecord,
  Head,
  QuarantinedStream,
  SessionRow,
  TurnRow,
  Undecodable,
} from "./types.ts"

export const maxPage = 1_000

/** A page of the log. */
export interface EventQuery {
  /** Exclusive; 0 for the beginning. */
  readonly after: number
  /** At most 1,000; a shorter page means that there was no more. */
  readonly limit: number
  /** Only events of this session and its turns and runs. */
  readonly session?: string | undefined
}

export function reads(db: Db, definitions: Definitions) {
  const all = db.prepare<[number, number], RawRow>(
    `SELECT ${selectColumns} FROM events WHERE position > ? ORDER BY position LIMIT ?`,
  )
  const ofSession = db.prepare<[string, number, number, number], RawRow>(
    `SELECT ${selectColumns} FROM events
     WHERE stream IN (SELECT stream FROM streams WHERE session = ? AND position > ?) AND position > ?
     ORDER BY position LIMIT ?`,
  )
  const last = db.prepare<[], Head>("SELECT position, hash FROM events ORDER BY position DESC LIMIT 1")
  const session = db.prepare<[string]>("SELECT * FROM sessions WHERE session = ?")
  const sessions = db.prepare<[]>("SELECT * FROM sessions ORDER BY created_position")
  const turn = db.prepare<[string]>("SELECT * FROM turns WHERE turn = ?")
  const turns = db.prepare<[string]>("SELECT * FROM turns WHERE session = ? ORDER BY ordinal")
  const quarantined = db.prepare<[], QuarantinedStream>(
    "SELECT stream, position, reason FROM quarantine ORDER BY stream",
  )

  /** Rows as stored, for export: their hashes can be checked by anybody who has them. */
  function rawEvents({ after, limit, session: of }: EventQuery): RawRow[] {
    const rows = Math.min(Math.max(Math.trunc(limit), 0), maxPage)
    return of === undefined ? all.all(after, rows) : ofSession.all(of, after, after, rows)
  }

  const head = (): Head => last.get() ?? { position: 0, hash: genesis }
  return {
    rawEvents,
    readEvents: (query: EventQuery): (EventRecord | Undecodable)[] =>
      rawEvents(query).map(raw => toEvent(decode(raw, definitions))),
    head,
    session: (id: string): SessionRow | Undecodable | null => optional(session.get(id), toSession),
    sessions: () => sessions.all().map(toSession),
    turn: (id: string): TurnRow | Undecodable | null => optional(turn.get(id), toTurn),
    /** Of one session, in order. */
    turns: (of: string) => turns.all(of).map(toTurn),
    quarantined: (): QuarantinedStream[] => quarantined.all(),
  }
}

function optional<T>(raw: unknown, parse: (raw: unknown) => T): T | null {
  return raw === undefined ? null : parse(raw)
}

function toEvent(decoded: Decoded): EventRecord | Undecodable {
  if (!decoded.ok) {
    const { position, stream, reason } = decoded
    return { undecodable: true, position, stream, code: reason }
  }
  const { machine_version, from_state, to_state, ignored, command_digest: _, ...row } = decoded.row
  return {
    ...row,
    undecodable: false,
    data: decoded.data,
    machineVersion: machine_version,
    from: from_state,
    to: to_state,
    ignored: ignored === 1,
  }
}
