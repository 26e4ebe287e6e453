/**
 * Effects that were asked for and have no outcome yet. A cache: `open` and `end` are called only for an event
 * that is being appended or folded, and running an effect is somebody else's part.
 */
import { z } from "zod"
import type { EffectRequest } from "../machines/kernel.ts"
import { recoveryClass } from "../machines/kernel.ts"
import type { EventRow } from "./chain.ts"
import type { Db } from "./database.ts"
import { asciiJson, parseObject } from "./json.ts"
import type { OutboxRow, Undecodable } from "./types.ts"

export const outboxRow = z.strictObject({
  id: z.string(),
  stream: z.string(),
  version: z.int(),
  idx: z.int(),
  session: z.string(),
  kind: z.string(),
  class: recoveryClass,
  params: z.string(),
  correlation: z.string().nullable(),
  position: z.int(),
  at: z.int(),
})
export type StoredEffect = z.infer<typeof outboxRow>

export const effectId = (stream: string, version: number, index: number) => `${stream}/${version}/${index}`

export function outboxTable(db: Db) {
  const insert = db.prepare(
    `INSERT INTO outbox (id, stream, version, idx, session, kind, class, params, correlation, position, at)
     VALUES (:id, :stream, :version, :idx, :session, :kind, :class, :params, :correlation, :position, :at)`,
  )
  const remove = db.prepare<[string]>("DELETE FROM outbox WHERE id = ?")
  const clear = db.prepare<[string]>("DELETE FROM outbox WHERE stream = ?")
  const find = db.prepare<[string], { stream: string; session: string; correlation: string | null }>(
    "SELECT stream, session, correlation FROM outbox WHERE id = ?",
  )
  const ofStream = db.prepare<[string]>("SELECT * FROM outbox WHERE stream = ? ORDER BY version, idx")
  return {
    find: (id: string) => find.get(id),
    end: (id: string) => void remove.run(id),
    open(event: EventRow, session: string, effects: readonly EffectRequest[]) {
      for (const [idx, effect] of effects.entries()) {
        const { stream, version, correlation, position, at } = event
        const { kind, class: recovery } = effect
        const params = asciiJson(effect.params)
        const id = effectId(stream, version, idx)
        insert.run({
          id,
          stream,
          version,
          idx,
          session,
          kind,
          class: recovery,
          params,
          correlation,
          position,
          at,
        })
      }
    },
    /** All of one stream, as a migration carries them over. */
    ofStream: (stream: string) => ofStream.all(stream).map(row => outboxRow.parse(row)),
    replace(stream: string, rows: readonly StoredEffect[]) {
      clear.run(stream)
      for (const row of rows) insert.run(row)
    },
  }
}

/** Which outstanding effects; default: all. */
export interface OutboxQuery {
  /** Only of sessions that this host owns. */
  readonly hostOwned?: boolean | undefined
  /** Only asked for after this position. */
  readonly after?: number | undefined
  /** Only those of this stream. */
  readonly stream?: string | undefined
}

/** Outstanding effects in the order in which they were asked for. */
export function readOutbox(
  db: Db,
  query: OutboxQuery,
  owned: (session: string) => boolean,
): (OutboxRow | Undecodable)[] {
  const { after = 0, stream = null, hostOwned = false } = query
  const rows = db
    .prepare("SELECT * FROM outbox WHERE position > ? AND (? IS NULL OR stream = ?) ORDER BY position, idx")
    .all(after, stream, stream)
  return rows.map(toOutboxRow).filter(row => !hostOwned || ("session" in row && owned(row.session)))
}

function toOutboxRow(raw: unknown): OutboxRow | Undecodable {
  const parsed = outboxRow.safeParse(raw)
  const params = parsed.success ? parseObject(parsed.data.params) : null
  if (!parsed.success || params === null) return undecodable(raw)
  const { idx, ...row } = parsed.data
  return { ...row, undecodable: false, index: idx, params }
}

/** What can still be said of a cache row that does not parse. */
export function undecodable(raw: unknown): Undecodable {
  const found = z.looseObject({ position: z.int().catch(0), stream: z.string().catch("?") }).safeParse(raw)
  const { position, stream } = found.success ? found.data : { position: 0, stream: "?" }
  return { undecodable: true, position, stream, code: "BAD_ROW" }
}
