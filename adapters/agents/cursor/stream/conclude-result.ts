/**
 * The outcome of a run whose terminal line was seen. Its exit, however odd, changes nothing: the answer was
 * delivered. An error that comes with a reply degrades the success and does not undo it (I10).
 */
import type { Ending } from "../../../../effects/agent.ts"
import { classify, type Diagnosis } from "../../common/failures/classify.ts"
import { excerpt } from "../../common/failures/redact.ts"
import type { FailureRule } from "../../common/failures/rule.ts"
import type { Outcome } from "../../common/stream/outcome.ts"
import type { CursorState, End } from "./state.ts"

export function resultOutcome(
  state: CursorState,
  end: End,
  ending: Ending,
  rules: readonly FailureRule[],
): Outcome {
  const said = end.text ?? ""
  const streamed = state.reply.text
  if (!end.isError) return { succeeded: true, text: isBlank(said) ? streamed : said, diagnosis: null }

  // Without a field of its own, the error is what stands in the place of the reply.
  const error = end.error ?? said
  const reply = end.error !== null && !isBlank(said) ? said : streamed
  const known = classify(error, rules) ?? classify(ending.stderr, rules)
  const isReply = !isBlank(reply) && !isMadeUp(state, reply, error, known)
  const diagnosis = known ?? unknownError(isReply && sameText(reply, error) ? "" : error)
  return { succeeded: isReply, text: isReply ? reply : "", diagnosis }
}

/**
 * CLIs show their own error as if the model had said it. Such a text equals the error, and is either one that
 * the table knows or came in one piece: a model's reply that the result repeats was streamed in many.
 */
function isMadeUp(state: CursorState, reply: string, error: string, known: Diagnosis | null): boolean {
  return sameText(reply, error) && (known !== null || state.reply.deltas <= 1)
}

function sameText(one: string, other: string): boolean {
  return core(one) === core(other)
}

const core = (text: string) => text.replace(/^\s*(?:api )?error:\s*/i, "").trim()

const isBlank = (text: string) => text.trim() === ""

function unknownError(error: string): Diagnosis {
  const words = excerpt(error)
  return {
    failure: { kind: "agent", code: "AGENT_ERROR", retryable: false },
    explanation:
      words === null ? "The agent reported an error without saying which." : `The agent reported: ${words}`,
    breaksConversation: false,
  }
}
