/**
 * Where every stream stands (`streams`), and a checkpoint of it now and then (`snapshots`). Both are caches:
 * what a host builds upon is read by `load.ts`, which lets the log confirm it.
 */
import { z } from "zod"
import type { Snapshot } from "../machines/kernel.ts"
import type { EventRow } from "./chain.ts"
import type { Db } from "./database.ts"
import { migrated } from "./decode.ts"
import { asciiJson, parseObject } from "./json.ts"

/** Events of one stream between two checkpoints: what a first use replays at most. */
export const checkpointEvery = 64

const status = z.enum(["active", "done"])
const streamRow = z.strictObject({
  stream: z.string(),
  session: z.string(),
  machine: z.string(),
  machine_version: z.int(),
  version: z.int(),
  position: z.int(),
  state: z.string(),
  context: z.string().nullable(),
  status: status.nullable(),
})
export type StreamRow = z.infer<typeof streamRow>
const checkpointRow = z.strictObject({
  stream: z.string(),
  machine_version: z.int(),
  version: z.int(),
  state: z.string(),
  context: z.string(),
  status,
})

export interface Checkpoint {
  readonly machineVersion: number
  readonly version: number
  readonly snapshot: Snapshot
}

export function streamsTable(db: Db) {
  const find = db.prepare<[string]>("SELECT * FROM streams WHERE stream = ?")
  const sessionOf = db.prepare<[string], { session: unknown }>("SELECT session FROM streams WHERE stream = ?")
  const put = db.prepare(
    `INSERT INTO streams (stream, session, machine, machine_version, version, position, state, context, status)
     VALUES (:stream, :session, :machine, :machine_version, :version, :position, :state, :context, :status)
     ON CONFLICT(stream) DO UPDATE SET session = excluded.session, machine_version = excluded.machine_version,
       version = excluded.version, position = excluded.position, state = excluded.state,
       context = excluded.context, status = excluded.status`,
  )
  const checkpoint = db.prepare<[string]>("SELECT * FROM snapshots WHERE stream = ?")
  const keep = db.prepare(
    `INSERT OR REPLACE INTO snapshots (stream, machine_version, version, state, context, status)
     VALUES (:stream, :machine_version, :version, :state, :context, :status)`,
  )
  return {
    find(stream: string): StreamRow | undefined {
      const parsed = streamRow.safeParse(find.get(stream))
      return parsed.success ? parsed.data : undefined
    },
    sessionOf(stream: string): string | undefined {
      const session = sessionOf.get(stream)?.session
      return typeof session === "string" ? session : undefined
    },
    /** A null snapshot: the state is known from the row, the context is not (an older version's event). */
    record(event: EventRow, session: string, snapshot: Snapshot | null) {
      const context = snapshot === null ? null : asciiJson(snapshot.context)
      const row = { ...event, session, state: event.to_state, context, status: snapshot?.status ?? null }
      put.run(row)
      const due = event.version % checkpointEvery === 0 || event.type === migrated
      if (due && snapshot !== null) keep.run(row)
    },
    checkpoint(stream: string): Checkpoint | undefined {
      const parsed = checkpointRow.safeParse(checkpoint.get(stream))
      if (!parsed.success) return undefined
      const { machine_version, version } = parsed.data
      const snapshot = toSnapshot(parsed.data)
      return snapshot === null ? undefined : { machineVersion: machine_version, version, snapshot }
    },
  }
}

export function toSnapshot(row: Pick<StreamRow, "state" | "context" | "status">): Snapshot | null {
  const context = parseObject(row.context)
  if (context === null || row.status === null) return null
  return { value: row.state, context, status: row.status }
}
