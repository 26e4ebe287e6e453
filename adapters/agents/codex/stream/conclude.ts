/**
 * How one run ended, from what it printed and how it exited. Exactly one answer, whatever the order of result, exit
 * and noise; the terminal line wins over the exit. Nothing here decides about retries or swaps.
 */
import type { Conclusion, Ending, Notice } from "../../../../effects/agent.ts"
import type { Failure, Verdict } from "../../../../machines/words.ts"
import { classify, type Diagnosis } from "../../common/failures/classify.ts"
import { excerpt } from "../../common/failures/redact.ts"
import type { FailureRule } from "../../common/failures/rule.ts"
import { exitDiagnosis, noOutput, resultMissing, wholeLines } from "../../common/stream/exit.ts"
import { isRecord, textOf } from "../../common/stream/json.ts"
import { counted } from "../../common/stream/notices.ts"
import type { CodexState } from "./state.ts"
import { runUsage } from "./usage.ts"

export function conclude(state: CodexState, ending: Ending, rules: readonly FailureRule[]): Conclusion {
  const diagnosis = diagnose(state, ending, rules)
  // A message may announce a tool call that never came, so only a good exit makes it the answer. It is kept anyway.
  const succeeded = diagnosis === null || (state.end === null && state.spokeLast && ending.status === 0)
  const retryAfterMs = diagnosis?.retryAfterMs
  const denied = state.denied + refusals(ending.stderr)
  return {
    verdict: verdictOf(state, denied, succeeded, diagnosis),
    text: state.text,
    explanation: diagnosis?.explanation ?? null,
    notices: noticesOf(state, denied),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

/** A patch outside of the sandbox, or a wish for more than it, is refused without an item: only stderr tells. */
function refusals(stderr: string): number {
  const lines = stderr.matchAll(/^.{0,80}codex_core::tools::router: error=.*\breject(?:ed)?\b/gm)
  return [...lines].length
}

function diagnose(state: CodexState, ending: Ending, rules: readonly FailureRule[]): Diagnosis | null {
  if (state.end?.error === null) return null
  const stderr = wholeLines(ending.stderr)
  const said = state.end?.error ?? state.error ?? ""
  // With a terminal line it has said everything; what stderr says behind it depends on when one looks.
  const known = classify(said, rules) ?? (state.end === null ? classify(stderr, rules) : null)
  if (known !== null) return known
  if (state.end !== null) return unknownError(said)
  if (ending.status !== 0) return exitDiagnosis(ending, stderr)
  return state.protocolLines > 0 ? resultMissing : noOutput(stderr)
}

/** A request that is refused as it is (400) is told by the service's own answer, and by nothing else. */
function unknownError(error: string): Diagnosis {
  const refused = bodyMessage(error)
  const words = excerpt(refused ?? error)
  const failure: Failure =
    refused === null
      ? { kind: "agent", code: "AGENT_ERROR", retryable: false }
      : { kind: "config", code: "REQUEST_REJECTED", retryable: false }
  return {
    failure,
    explanation:
      words === null ? "The agent reported an error without saying which." : `The agent reported: ${words}`,
    breaksConversation: false,
  }
}

function bodyMessage(error: string): string | null {
  try {
    const body: unknown = JSON.parse(error)
    const said = isRecord(body) && isRecord(body.error) ? body.error.message : null
    return textOf(said)
  } catch {
    return null
  }
}

function verdictOf(
  state: CodexState,
  denied: number,
  succeeded: boolean,
  diagnosis: Diagnosis | null,
): Verdict {
  const total = state.end?.conversationUsage ?? null
  return {
    outcome: succeeded ? "succeeded" : "failed",
    failure: succeeded ? null : (diagnosis?.failure ?? null),
    degraded: succeeded ? (diagnosis?.failure.kind ?? null) : null,
    emptyReply: succeeded && state.text.trim() === "",
    conversation: diagnosis?.breaksConversation === true ? "broken" : "reusable",
    usage: runUsage(total, state.start),
    conversationUsage: total,
    deniedTools: denied,
    unknownLines: state.unknown,
  }
}

function noticesOf(state: CodexState, denied: number): readonly Notice[] {
  const { resume } = state.start
  const another = resume !== null && state.conversation !== null && state.conversation !== resume
  return counted([
    ["notJson", state.notJson],
    ["unknownLines", state.unknown],
    ["toolsDenied", denied],
    // Asked to go on with one conversation, the agent went on with another.
    ["historyLost", another ? 1 : 0],
  ])
}
