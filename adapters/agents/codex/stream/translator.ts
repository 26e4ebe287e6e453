/**
 * `codex exec --json`, line by line, into Holdfast's events. Pure and total: no line makes it throw, and it keeps
 * nothing but its state. What the run's end means is not decided here but in `conclude.ts`.
 */
import type { SpoolLine, Translator } from "../../../../effects/agent.ts"
import type { FailureRule } from "../../common/failures/rule.ts"
import {
  isRecord,
  type JsonRecord,
  type ProtocolRecord,
  parseLine,
  textOf,
} from "../../common/stream/json.ts"
import { limit } from "../../common/stream/limits.ts"
import { notice } from "../../common/stream/notices.ts"
import { isThreadId } from "../conversations.ts"
import { conclude } from "./conclude.ts"
import { item } from "./items.ts"
import { longLine } from "./long-line.ts"
import { type CodexState, initialState, quiet, type Step, told, unreadable } from "./state.ts"
import { conversationUsage, runUsage } from "./usage.ts"

export function codexTranslator(rules: readonly FailureRule[]): Translator<CodexState> {
  return {
    initial: initialState,
    line: translate,
    ended: state => state.end !== null,
    conclude: (state, ending) => conclude(state, ending, rules),
  }
}

/** What comes after the terminal line changes nothing; what it warns of is still worth telling. */
function translate(state: CodexState, line: SpoolLine): Step {
  const step = read(state, line)
  return state.end === null ? step : { state, events: step.events.filter(event => event.type === "notice") }
}

function read(state: CodexState, line: SpoolLine): Step {
  if (line.kind === "tooLong") return longLine(spoken(state), line.head)
  const parsed = parseLine(line.text)
  switch (parsed.kind) {
    case "blank":
      return quiet(state)
    case "text":
      return quiet({ ...state, notJson: state.notJson + 1 })
    case "records":
      return parsed.records.reduce<Step>((step, record) => {
        const next = protocol(spoken(step.state), record)
        return { state: next.state, events: [...step.events, ...next.events] }
      }, quiet(state))
  }
}

const spoken = (state: CodexState): CodexState => ({ ...state, protocolLines: state.protocolLines + 1 })

function protocol(state: CodexState, record: ProtocolRecord): Step {
  switch (record.type) {
    case "thread.started":
      return identified(state, record)
    case "turn.started":
      return quiet(state)
    case "item.started":
    case "item.updated":
    case "item.completed":
      return item(state, record)
    case "error":
      return error(state, record)
    case "turn.completed":
      return completed(state, record)
    case "turn.failed":
      return quiet({
        ...state,
        end: { error: errorOf(record) ?? state.error ?? "", conversationUsage: null },
      })
    default:
      return unreadable(state)
  }
}

function identified(state: CodexState, record: ProtocolRecord): Step {
  const id = textOf(record.thread_id)
  if (id === null || !isThreadId(id)) return unreadable(state)
  if (state.conversation !== null) return quiet(state)
  return told({ ...state, conversation: id }, { type: "run.identified", conversation: id, model: null })
}

/** Codex says that it tries again, and then that it gave up; the reason is behind both. */
function error(state: CodexState, record: ProtocolRecord): Step {
  const words = errorOf(record)
  if (words === null) return unreadable(state)
  const next = { ...state, error: words }
  return /^reconnecting\b/i.test(words) ? told(next, notice("agentReconnecting")) : quiet(next)
}

function completed(state: CodexState, record: ProtocolRecord): Step {
  const total = conversationUsage(record.usage)
  const next = { ...state, end: { error: null, conversationUsage: total } }
  const usage = runUsage(total, state.start)
  return usage === null ? quiet(next) : told(next, { type: "usage.reported", usage })
}

function errorOf({ error: said, message }: JsonRecord): string | null {
  const words = textOf(message) ?? (isRecord(said) ? textOf(said.message) : textOf(said))
  return words === null ? null : words.slice(0, limit.errorChars)
}
