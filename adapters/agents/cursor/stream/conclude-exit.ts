/**
 * The outcome of a run that ended without its terminal line. The failure table is asked first, so that a refusal
 * or a banner is never a reply, whatever the exit code (WT-04); only then is plain text salvaged.
 */
import type { Ending } from "../../../../effects/agent.ts"
import type { Failure } from "../../../../machines/words.ts"
import { classify, type Diagnosis, plainErrors } from "../failures/classify.ts"
import { excerpt } from "../failures/redact.ts"
import type { FailureRule } from "../failures/rule.ts"
import type { Outcome } from "./outcome.ts"
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

const stderrTailChars = 60 * 1024

/** The tail of a long stderr begins in the middle of a line, which may be of the protocol: half of it tells nothing. */
function wholeLines(stderr: string): string {
  const end = stderr.indexOf("\n")
  const isTail = stderr.length >= stderrTailChars && end !== -1 && end < stderr.length - 1
  return isTail ? stderr.slice(end + 1) : stderr
}

const resultMissing = diagnosis(
  { kind: "crashed", code: "RESULT_MISSING", retryable: false },
  "The agent ended well, but never said that its turn was over.",
)

/** Nothing at all was printed (X2), or only to stderr, where nothing is an answer (ST-19). */
function noOutput(stderr: string): Diagnosis {
  const where = stderr.trim() === "" ? "" : " What it wrote to stderr is not read as an answer."
  return diagnosis(
    { kind: "noOutput", code: "NO_OUTPUT", retryable: true },
    `The agent ended well and printed no answer.${where}`,
  )
}

function exitDiagnosis({ status }: Ending, stderr: string, plain: string): Diagnosis {
  if (status === null) {
    return diagnosis(
      { kind: "crashed", code: "EXIT_UNKNOWN", retryable: false },
      "The agent is gone, and nobody knows how it ended.",
    )
  }
  if (status > 128) {
    return diagnosis(
      { kind: "crashed", code: "AGENT_KILLED", retryable: false },
      `The agent was ended by signal ${status - 128}.`,
    )
  }
  const words = excerpt(plainErrors(stderr)) ?? excerpt(plain)
  return diagnosis(
    { kind: words === null ? "crashed" : "agent", code: "AGENT_EXITED", retryable: false },
    words === null
      ? `The agent exited with ${status} and said nothing.`
      : `The agent exited with ${status}: ${words}`,
  )
}

function diagnosis(failure: Failure, explanation: string): Diagnosis {
  return { failure, explanation, breaksConversation: false }
}
