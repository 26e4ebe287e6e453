/**
 * Cursor's `stream-json`, line by line, into Holdfast's events. Pure and total: no line makes it throw, and it
 * keeps nothing but its state. What the run's end means is not decided here but in `conclude.ts`.
 */
import type { AgentEvent, SpoolLine, Translator } from "../../../../effects/agent.ts"
import { isConversationId } from "../../common/arguments.ts"
import type { FailureRule } from "../../common/failures/rule.ts"
import { type ProtocolRecord, parseLine, textOf } from "../../common/stream/json.ts"
import { limit } from "../../common/stream/limits.ts"
import { notice } from "../../common/stream/notices.ts"
import { conclude } from "./conclude.ts"
import { longLine, readLongLine } from "./long-line.ts"
import { plainLine } from "./plain.ts"
import { retried } from "./reply.ts"
import { result } from "./result-record.ts"
import { andThen, type CursorState, initialState, quiet, type Step } from "./state.ts"
import { assistant, thinking, unreadable } from "./text-records.ts"
import { toolCall } from "./tool-records.ts"

export function cursorTranslator(rules: readonly FailureRule[]): Translator<CursorState> {
  return {
    initial: ({ resume }) => ({ ...initialState, resume }),
    line: translate,
    ended: state => state.end !== null,
    conclude: (state, ending) => conclude(state, ending, rules),
  }
}

function translate(state: CursorState, line: SpoolLine): Step {
  if (line.kind === "tooLong") return beforeEnd(state, () => tooLong(state, line.head))
  const parsed = parseLine(line.text)
  if (parsed.kind !== "records") return beforeEnd(state, () => quiet(plainLine(state, parsed)))
  return parsed.records.reduce<Step>(
    (step, record) => andThen(step, next => beforeEnd(next, () => protocol(next, record))),
    quiet(state),
  )
}

/** What comes after the terminal line changes nothing; what it warns of is still worth telling (X4). */
function beforeEnd(state: CursorState, translated: () => Step): Step {
  const step = translated()
  return state.end === null ? step : { state, events: step.events.filter(event => event.type === "notice") }
}

function tooLong(state: CursorState, text: string): Step {
  const { head, record } = readLongLine(text)
  const next = record.type === "" ? state : spoken(state)
  return andThen(identified(next, record), last => longLine(last, record, head))
}

function protocol(state: CursorState, record: ProtocolRecord): Step {
  return andThen(identified(spoken(state), record), next => dispatch(next, record))
}

/** The agent speaks the protocol; what it printed before in plain text was noise. */
function spoken(state: CursorState): CursorState {
  return { ...state, plain: "", protocolLines: state.protocolLines + 1 }
}

function dispatch(state: CursorState, record: ProtocolRecord): Step {
  switch (record.type) {
    case "assistant":
      return assistant(state, record)
    case "thinking":
      return thinking(state, record)
    case "tool_call":
      return toolCall(state, record)
    case "result":
      return result(state, record)
    case "system":
      return system(state, record)
    case "connection":
      return record.subtype === "reconnecting" ? told(state, notice("agentReconnecting")) : quiet(state)
    case "retry":
      return retry(state, record)
    // An echo of the prompt, and questions that the CLI answers itself in the same millisecond (ST-09).
    case "user":
    case "interaction_query":
      return quiet(state)
    default:
      return unreadable(state)
  }
}

function system(state: CursorState, record: ProtocolRecord): Step {
  switch (record.subtype) {
    case "init":
    case "task_notification":
      return quiet(state)
    case "background_shell_timeout":
      return told(state, notice("backgroundWorkStopped"))
    default:
      return unreadable(state)
  }
}

/** The agent retries by itself; what it had streamed of this block may come again. */
function retry(state: CursorState, record: ProtocolRecord): Step {
  const next = { ...state, reply: retried(state.reply) }
  return record.subtype === "starting" ? told(next, notice("agentRetrying")) : quiet(next)
}

/** The first id that can be resumed is the conversation's; it is on nearly every line, and later ones repeat it. */
function identified(state: CursorState, record: ProtocolRecord): Step {
  const id = textOf(record.session_id)
  const conversation = state.conversation ?? (id !== null && isConversationId(id) ? id : null)
  const isInit = record.type === "system" && record.subtype === "init"
  const named = isInit ? textOf(record.model)?.slice(0, limit.modelChars) : undefined
  const model = state.model ?? (named === undefined || named === "" ? null : named)
  if (conversation === state.conversation && model === state.model) return quiet(state)
  const next = { ...state, conversation, model }
  return conversation === null ? quiet(next) : told(next, { type: "run.identified", conversation, model })
}

const told = (state: CursorState, event: AgentEvent): Step => ({ state, events: [event] })
