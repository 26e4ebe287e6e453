/**
 * The row of one event and the hash that binds every column of it to the row before. Changing what is hashed,
 * or how, breaks every log that exists; a new way needs a new schema version.
 */
import { hash } from "node:crypto"
import { z } from "zod"
import { actors, causes } from "./types.ts"

/** Every column, in the order in which it is hashed and stored; `hash` itself comes last. */
export const columns = [
  "position",
  "stream",
  "version",
  "machine",
  "machine_version",
  "type",
  "data",
  "from_state",
  "to_state",
  "ignored",
  "at",
  "awake",
  "actor",
  "correlation",
  "cause",
  "causation",
  "command_digest",
  "epoch",
  "prev",
  "hash",
] as const
export type Column = (typeof columns)[number]

/** `hash` of the row that does not exist before the first. */
export const genesis = "0".repeat(64)

const count = z.int().nonnegative()
const name = z.string().min(1).max(512)
export const eventRow = z.strictObject({
  position: z.int().positive(),
  stream: name,
  version: z.int().positive(),
  machine: name,
  machine_version: z.int().positive(),
  type: name,
  data: z.string(),
  from_state: name,
  to_state: name,
  ignored: z.union([z.literal(0), z.literal(1)]),
  at: count,
  awake: count,
  actor: z.enum(actors),
  correlation: name.nullable(),
  cause: z.enum(causes).nullable(),
  causation: name.nullable(),
  command_digest: name.nullable(),
  epoch: z.int().positive(),
  prev: z.string().length(64),
  hash: z.string().length(64),
})
export type EventRow = z.infer<typeof eventRow>
/** A row as the file has it: whatever a damaged file may hold. */
export type RawRow = Readonly<Record<Column, unknown>>

export const selectColumns = columns.join(", ")

const printable = /^[\x20-\x7e]*$/

/**
 * SHA-256 over the JSON array of all columns but `hash`. JSON keeps NULL, '' and numbers apart; the columns'
 * order and the position in front keep rows apart; ASCII keeps two byte strings from decoding to one text.
 */
export function hashRow(row: RawRow): string {
  return hash("sha256", JSON.stringify(columns.slice(0, -1).map(column => row[column])))
}

/** The same, for a row about to be written: refuses what a reader could not tell apart. */
export function seal(row: Omit<EventRow, "hash">): EventRow {
  const text = JSON.stringify(columns.slice(0, -1).map(column => row[column as Exclude<Column, "hash">]))
  if (!printable.test(text)) throw new TypeError("an event's columns must be ASCII")
  return { ...row, hash: hash("sha256", text) }
}
