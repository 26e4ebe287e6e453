/**
 * How one run ended, from what it printed and how it exited. Exactly one answer, whatever the order of result,
 * exit and noise; the result line wins over the exit. Nothing here decides about retries or swaps.
 */
import type { Conclusion, Ending, Notice } from "../../../../effects/agent.ts"
import type { FailureKind, Verdict } from "../../../../machines/words.ts"
import type { FailureRule } from "../../common/failures/rule.ts"
import { counted } from "../../common/stream/notices.ts"
import type { Outcome } from "../../common/stream/outcome.ts"
import { clip } from "../../common/stream/text.ts"
import { exitOutcome } from "./conclude-exit.ts"
import { resultOutcome } from "./conclude-result.ts"
import type { CursorState } from "./state.ts"

export function conclude(state: CursorState, ending: Ending, rules: readonly FailureRule[]): Conclusion {
  const outcome =
    state.end === null ? exitOutcome(state, ending, rules) : resultOutcome(state, state.end, ending, rules)
  const retryAfterMs = outcome.diagnosis?.retryAfterMs
  return {
    verdict: verdictOf(state, outcome),
    text: clip(outcome.text),
    explanation: outcome.diagnosis?.explanation ?? null,
    notices: noticesOf(state),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

function verdictOf(state: CursorState, { succeeded, text, diagnosis }: Outcome): Verdict {
  const degraded: FailureKind | null = succeeded ? (diagnosis?.failure.kind ?? null) : null
  return {
    outcome: succeeded ? "succeeded" : "failed",
    failure: succeeded ? null : (diagnosis?.failure ?? null),
    degraded,
    emptyReply: succeeded && text.trim() === "",
    conversation: diagnosis?.breaksConversation === true ? "broken" : "reusable",
    usage: state.end?.usage ?? null,
    conversationUsage: null,
    deniedTools: state.denied,
    unknownLines: state.unknown,
  }
}

function noticesOf(state: CursorState): readonly Notice[] {
  const another = state.resume !== null && state.conversation !== null && state.conversation !== state.resume
  return counted([
    ["notJson", state.notJson],
    ["unknownLines", state.unknown],
    ["toolsDenied", state.denied],
    ["replyTruncated", state.end?.truncated === true ? 1 : 0],
    // Asked to go on with one conversation, the agent went on with another.
    ["historyLost", another ? 1 : 0],
  ])
}
