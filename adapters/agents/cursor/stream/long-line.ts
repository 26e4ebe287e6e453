/**
 * A line that was too long to keep. What its first bytes say still counts: a result settles the turn from what
 * was streamed, a finished tool is finished, a conversation id is one. It always leaves a notice (I14).
 */

import { firstText, isRecord, type ProtocolRecord, textOf } from "../../common/stream/json.ts"
import { notice } from "../../common/stream/notices.ts"
import { type LineHead, readHead } from "./head.ts"
import { saysError } from "./result-record.ts"
import { andThen, type CursorState, quiet, type Step } from "./state.ts"
import { blockEnded, completed, started } from "./tool-records.ts"
import { marker, type ToolCall } from "./tools.ts"

export function readLongLine(text: string): { readonly record: ProtocolRecord; readonly head: LineHead } {
  const head = readHead(text)
  return { head, record: { ...head.fields, type: textOf(head.fields.type) ?? "" } }
}

export function longLine(state: CursorState, record: ProtocolRecord, head: LineHead): Step {
  return andThen({ state, events: [notice("lineTooLong")] }, next => meaning(next, record, head))
}

function meaning(state: CursorState, record: ProtocolRecord, head: LineHead): Step {
  switch (record.type) {
    case "result":
      return result(state, record, head)
    case "tool_call":
      return tool(state, record, head)
    default:
      return quiet(state)
  }
}

function result(state: CursorState, record: ProtocolRecord, head: LineHead): Step {
  const beginning = head.cut?.key === "result" ? head.cut.text : null
  // Nothing was streamed: the beginning of the reply is better than none.
  const text = state.reply.text === "" ? (beginning ?? textOf(record.result)) : null
  const end = {
    isError: saysError(record),
    text,
    error: isRecord(record.error) ? null : firstText(record.error),
    usage: null,
    truncated: text !== null,
  }
  return quiet({ ...state, end })
}

function tool(state: CursorState, record: ProtocolRecord, head: LineHead): Step {
  const id = firstText(record.call_id)
  if (id === null) return quiet(state)
  const name = marker(head.tool ?? "tool")
  const call: ToolCall = { call: id, name, title: name, input: null, timeoutMs: null, result: null }
  const step = record.subtype === "completed" ? completed : started
  return andThen(blockEnded(state), next => step(next, call))
}
