/**
 * Records that carry text: `assistant` and `thinking`. The fields `timestamp_ms` and `model_call_id` say whether
 * the text is new (cursor.com, and checked by others on builds 2026.09.10 and 2026.09.23); see `reply.ts`.
 */
import type { AgentEvent } from "../../../../effects/agent.ts"
import { isRecord, type ProtocolRecord, textOf } from "../../common/stream/json.ts"
import { notice } from "../../common/stream/notices.ts"
import { type ReplyStep, segment, streamed } from "./reply.ts"
import { type CursorState, quiet, type Step } from "./state.ts"

export function assistant(state: CursorState, record: ProtocolRecord): Step {
  const content = contentOf(record.message)
  if (content === null) return unreadable(state)
  const isTimed = record.timestamp_ms !== undefined && record.timestamp_ms !== null
  const isOfCall = record.model_call_id !== undefined && record.model_call_id !== null
  const step =
    isTimed && !isOfCall ? streamed(state.reply, content.text) : segment(state.reply, content.text, !isTimed)
  const thought: readonly AgentEvent[] =
    content.thinking === "" ? [] : [{ type: "thinking.delta", text: content.thinking }]
  return { state: { ...state, reply: step.reply }, events: [...thought, ...textEvents(step)] }
}

export function thinking(state: CursorState, record: ProtocolRecord): Step {
  const text = textOf(record.text)
  if (record.subtype === "completed" || text === "") return quiet(state)
  return text === null ? unreadable(state) : { state, events: [{ type: "thinking.delta", text }] }
}

export function textEvents(step: ReplyStep): readonly AgentEvent[] {
  const delta: readonly AgentEvent[] =
    step.added === "" ? [] : [{ type: "text.delta", text: step.added, block: step.block }]
  return step.overflowed ? [...delta, notice("replyTruncated")] : delta
}

/** A known type in a shape that is not: counted like an unknown type, since both mean that the protocol moved. */
export function unreadable(state: CursorState): Step {
  return quiet({ ...state, unknown: state.unknown + 1 })
}

interface Content {
  readonly text: string
  readonly thinking: string
}

function contentOf(message: unknown): Content | null {
  if (!isRecord(message)) return null
  const content = message.content
  if (typeof content === "string") return { text: content, thinking: "" }
  if (!Array.isArray(content)) return null
  let text = ""
  let thought = ""
  for (const item of content) {
    if (!isRecord(item)) continue
    if (item.type === "text" || item.type === "output_text") text += textOf(item.text) ?? ""
    if (item.type === "thinking") thought += textOf(item.thinking) ?? ""
  }
  return { text, thinking: thought }
}
