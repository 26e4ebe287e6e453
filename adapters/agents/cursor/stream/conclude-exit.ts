/**
 * The outcome of a run that ended without its terminal line. The failure table is asked first, so that a refusal
 * or a banner is never a reply, whatever the exit code (WT-04); only then is plain text salvaged.
 */
import type { Ending } from "../../../../effects/agent.ts"
import { classify, type Diagnosis } from "../../common/failures/classify.ts"
import type { FailureRule } from "../../common/failures/rule.ts"
import { exitDiagnosis, noOutput, resultMissing, wholeLines } from "../../common/stream/exit.ts"
import type { Outcome } from "../../common/stream/outcome.ts"
import { withoutBanners } from "./plain.ts"
import type { CursorState } from "./state.ts"

export function exitOutcome(state: CursorState, ending: Ending, rules: readonly FailureRule[]): Outcome {
  const streamed = state.reply.text
  const plain = withoutBanners(state.plain)
  const stderr = wholeLines(ending.stderr)
  const exitedWell = ending.status === 0
  const refusal = classify(stderr, rules) ?? classify(exitedWell ? refusalIn(plain) : plain, rules)
  if (refusal !== null) return failed(streamed, refusal)
  if (!exitedWell) return failed(streamed, exitDiagnosis(ending, stderr, plain))
  if (plain !== "") return { succeeded: true, text: salvaged(streamed, plain), diagnosis: null }
  // The flush that ends a turn was there, so the reply is whole although nobody said so.
  if (state.reply.flushed && streamed.trim() !== "") {
    return { succeeded: true, text: streamed, diagnosis: resultMissing }
  }
  return failed(streamed, state.protocolLines > 0 ? resultMissing : noOutput(stderr))
}

const failed = (text: string, diagnosis: Diagnosis): Outcome => ({ succeeded: false, text, diagnosis })

/** The protocol was given up for plain text, which some builds then start from the beginning of the reply. */
function salvaged(streamed: string, plain: string): string {
  return streamed.trim() === "" || plain.startsWith(streamed.trim())
    ? plain
    : `${streamed.trimEnd()}\n\n${plain}`
}

const maxRefusalChars = 2000
const errorLike = /^\W*(?:\w*(?:error|exception)\b|warning:|fatal:|\w: \[)/i

/**
 * What of a text that ended well may be a refusal. A short one may be nothing else; of a long one, an answer
 * that may well speak of rate limits, only lines that begin like an error.
 */
function refusalIn(plain: string): string {
  if (plain.length <= maxRefusalChars) return plain
  return plain
    .split("\n")
    .filter(line => errorLike.test(line.slice(0, 200)))
    .join("\n")
}
