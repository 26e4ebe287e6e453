/**
 * A line that was too long to keep. Its first bytes still say what it is: a finished tool is finished, a message
 * begins, a turn is over. It always leaves a notice (I14).
 */
import { parseLine } from "../../common/stream/json.ts"
import { notice } from "../../common/stream/notices.ts"
import { item } from "./items.ts"
import { type CodexState, type Step, told } from "./state.ts"

const itemHead = /^\s*\{"type":"(item\.\w+)","item":\{"id":"([^"\\]{1,256})","type":"(\w+)"/
const messageText = /^,"text":"((?:[^"\\]|\\.)*)/s

export function longLine(state: CodexState, head: string): Step {
  const dropped = notice("lineTooLong")
  const [whole, type, id, kind] = itemHead.exec(head) ?? []
  if (whole === undefined || type === undefined) return told(state, dropped)
  const text = messageText.exec(head.slice(whole.length))?.[1]
  // A character cut in two by the head's own limit is no character.
  const begun = text === undefined ? {} : { text: unescaped(text) }
  const step = item(state, { type, item: { id, type: kind, ...begun } })
  const cut = kind === "agent_message" ? [notice("replyTruncated")] : []
  return told(
    { ...step.state, truncated: step.state.truncated || cut.length > 0 },
    dropped,
    ...step.events,
    ...cut,
  )
}

function unescaped(text: string): string {
  const parsed = parseLine(`{"type":"text","text":"${text.replace(/\\u[0-9a-fA-F]{0,3}$/, "")}"}`)
  const said = parsed.kind === "records" ? parsed.records[0]?.text : null
  return typeof said === "string" ? said.replace(/[\uD800-\uDBFF\uFFFD]$/, "") : ""
}
