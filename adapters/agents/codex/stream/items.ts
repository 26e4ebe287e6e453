/** `item.*` records: messages, thoughts, tool calls, warnings. Arguments and results pass on to readers; none stays. */
import { closed, find, opened } from "../../common/stream/calls.ts"
import { isRecord, type JsonRecord, type ProtocolRecord, textOf } from "../../common/stream/json.ts"
import { limit } from "../../common/stream/limits.ts"
import { notice } from "../../common/stream/notices.ts"
import { clip } from "../../common/stream/text.ts"
import { type CodexState, quiet, type Step, told, unreadable } from "./state.ts"
import { readToolCall, type ToolCall } from "./tools.ts"

export function item(state: CodexState, record: ProtocolRecord): Step {
  const { item: body, type } = record
  if (!isRecord(body)) return unreadable(state)
  const isDone = type === "item.completed"
  switch (body.type) {
    case "agent_message":
      return isDone ? message(state, body) : quiet(state)
    case "reasoning":
      return isDone ? thought(state, body) : quiet(state)
    // A warning, such as a model it has no data about, on a turn that goes well.
    case "error":
      return told(state, notice("agentWarning"))
    // The agent's plan is neither a reply nor something it does.
    case "todo_list":
      return quiet(state)
    default: {
      const call = readToolCall(body)
      if (call === null) return unreadable(state)
      const acted = { ...state, spokeLast: false }
      return isDone ? completed(acted, call) : started(acted, call)
    }
  }
}

function message(state: CodexState, body: JsonRecord): Step {
  const said = textOf(body.text)
  if (said === null) return unreadable(state)
  if (said.trim() === "") return quiet(state)
  // Streamed as it stands in the reply, so that what a reader puts together is the reply.
  const added = state.text === "" ? said : `\n\n${said}`
  const next = { ...state, messages: state.messages + 1, spokeLast: true }
  const delta = { type: "text.delta", text: added, block: state.messages } as const
  if (state.truncated) return told(next, delta)
  const text = state.text + added
  if (text.length <= limit.replyChars) return told({ ...next, text }, delta)
  return told({ ...next, text: clip(text), truncated: true }, delta, notice("replyTruncated"))
}

function thought(state: CodexState, body: JsonRecord): Step {
  const text = textOf(body.text)
  if (text === null) return unreadable(state)
  return text === "" ? quiet(state) : told(state, { type: "thinking.delta", text })
}

function started(state: CodexState, call: ToolCall): Step {
  if (find(state.calls, call.call) !== undefined) return quiet(state)
  return told(
    { ...state, calls: opened(state.calls, call.call, call.name) },
    {
      type: "tool.started",
      call: call.call,
      name: call.name,
      title: call.title,
      input: call.input,
      timeoutMs: null,
    },
  )
}

/** An end without a start gives both, so that a reader always sees a pair. */
function completed(state: CodexState, call: ToolCall): Step {
  const known = find(state.calls, call.call)
  if (known === undefined) {
    const begun = started(state, call)
    const done = completed(begun.state, call)
    return told(done.state, ...begun.events, ...done.events)
  }
  if (!known.open) return quiet(state)
  const { status, output } = call
  const denied = state.denied + (status === "denied" ? 1 : 0)
  return told(
    { ...state, calls: closed(state.calls, call.call), denied },
    { type: "tool.completed", call: call.call, name: known.name, status, output },
  )
}
