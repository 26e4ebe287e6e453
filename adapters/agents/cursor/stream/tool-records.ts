/**
 * `tool_call` records: one start and one end per call, whatever is repeated, missing or out of order. The events
 * pass arguments and results on to readers; none of it stays in the state.
 */
import type { AgentEvent } from "../../../../effects/agent.ts"
import { closed, find, opened } from "../../common/stream/calls.ts"
import { firstText, type ProtocolRecord } from "../../common/stream/json.ts"
import { endBlock } from "./reply.ts"
import { andThen, type CursorState, quiet, type Step } from "./state.ts"
import { textEvents, unreadable } from "./text-records.ts"
import { readToolCall, statusOf, type ToolCall } from "./tools.ts"

export function toolCall(state: CursorState, record: ProtocolRecord): Step {
  const call = readToolCall(record)
  // Metadata alone is not a call; a call that cannot be named or paired is drift worth counting.
  if (call === null) return firstText(record.call_id) === null ? unreadable(state) : quiet(state)
  switch (record.subtype) {
    case "started":
      return andThen(blockEnded(state), next => started(next, call))
    case "completed":
      return andThen(blockEnded(state), next => completed(next, call))
    case "progress":
    case "partial":
      return quiet(state)
    default:
      return unreadable(state)
  }
}

/** Also repeated starts end the block: they are the same call, and no text came with them. */
export function blockEnded(state: CursorState): Step {
  const step = endBlock(state.reply)
  return { state: { ...state, reply: step.reply }, events: textEvents(step) }
}

export function started(state: CursorState, call: ToolCall): Step {
  if (find(state.calls, call.call) !== undefined) return quiet(state)
  const event: AgentEvent = {
    type: "tool.started",
    call: call.call,
    name: call.name,
    title: call.title,
    input: call.input,
    timeoutMs: call.timeoutMs,
  }
  return { state: { ...state, calls: opened(state.calls, call.call, call.name) }, events: [event] }
}

/** An end without a start gives both, so that a reader always sees a pair. */
export function completed(state: CursorState, call: ToolCall): Step {
  const known = find(state.calls, call.call)
  if (known === undefined) return andThen(started(state, call), next => completed(next, call))
  if (!known.open) return quiet(state)
  const status = statusOf(call.result)
  const event: AgentEvent = {
    type: "tool.completed",
    call: call.call,
    name: known.name,
    status,
    output: call.result ?? null,
  }
  const denied = state.denied + (status === "denied" ? 1 : 0)
  return { state: { ...state, calls: closed(state.calls, call.call), denied }, events: [event] }
}
