/**
 * From a raw row to an event, or to the reason why not. Tolerant: it returns reasons and never throws, so that
 * one bad row costs one stream. It judges a row alone; whether rows agree is for `fold.ts`.
 */
import { type EventRow, eventRow, type RawRow } from "./chain.ts"
import { parseObject } from "./json.ts"
import type { Definitions } from "./types.ts"

/** The one type that no machine defines: a new machine version took over, with the whole snapshot as data. */
export const migrated = "machine.migrated"

export type Decoded =
  | { readonly ok: true; readonly row: EventRow; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: Reason; readonly position: number; readonly stream: string }
export type Reason =
  | "BAD_ROW"
  | "BAD_JSON"
  | "UNKNOWN_MACHINE"
  | "UNKNOWN_TYPE"
  | "FUTURE_VERSION"
  | "INVALID_DATA"

export function decode(raw: RawRow, definitions: Definitions): Decoded {
  const position = typeof raw.position === "number" ? raw.position : 0
  const stream = typeof raw.stream === "string" ? raw.stream : "?"
  const bad = (reason: Reason): Decoded => ({ ok: false, reason, position, stream })
  const parsed = eventRow.safeParse(raw)
  if (!parsed.success) return bad("BAD_ROW")
  const row = parsed.data
  const data = parseObject(row.data)
  if (data === null) return bad("BAD_JSON")
  const definition = Object.hasOwn(definitions, row.machine) ? definitions[row.machine] : undefined
  if (definition === undefined) return bad("UNKNOWN_MACHINE")
  if (row.machine_version > definition.version) return bad("FUTURE_VERSION")
  // Of an older version only the shape is known; its inputs may be gone from the current tables.
  if (row.type === migrated || row.machine_version < definition.version) return { ok: true, row, data }
  const input = Object.hasOwn(definition.inputs, row.type) ? definition.inputs[row.type] : undefined
  if (input === undefined) return bad("UNKNOWN_TYPE")
  return input.schema.safeParse(data).success ? { ok: true, row, data } : bad("INVALID_DATA")
}
