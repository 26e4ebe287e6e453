/**
 * The terminal line. It is only read here; what it means together with the exit is judged in `conclude.ts`.
 * A failed one has not been recorded by anybody (builds up to 2026.09.28), so every known spelling is accepted.
 */
import {
  firstText,
  isRecord,
  type JsonRecord,
  type ProtocolRecord,
  textOf,
} from "../../common/stream/json.ts"
import { limit } from "../../common/stream/limits.ts"
import { clip } from "../../common/stream/text.ts"
import type { CursorState, End, Step } from "./state.ts"
import { parseUsage } from "./usage.ts"

export function result(state: CursorState, record: ProtocolRecord): Step {
  const text = textOf(record.result)
  const end: End = {
    isError: saysError(record),
    text: text === null ? null : clip(text),
    error: errorOf(record),
    usage: parseUsage(record.usage),
    truncated: text !== null && text.length > limit.replyChars,
  }
  return {
    state: { ...state, end },
    events: end.usage === null ? [] : [{ type: "usage.reported", usage: end.usage }],
  }
}

/** `success` with `is_error` is an error too: the flag is the more specific of the two. */
export function saysError(fields: JsonRecord): boolean {
  return fields.is_error === true || (textOf(fields.subtype) ?? "").startsWith("error")
}

function errorOf(record: ProtocolRecord): string | null {
  const { error, errors } = record
  const fields = isRecord(error) ? error : {}
  const list = Array.isArray(errors) ? errors.map(item => (isRecord(item) ? item.message : item)) : []
  const found = firstText(error, fields.message, fields.details, fields.code, ...list)
  return found === null ? null : found.slice(0, limit.errorChars)
}
