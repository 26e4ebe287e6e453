/**
 * What an exit without a terminal line means for any agent, when no table knows its words. It names signals and
 * exit codes, and quotes at most one redacted line.
 */
import type { Ending } from "../../../../effects/agent.ts"
import type { Failure } from "../../../../machines/words.ts"
import { type Diagnosis, plainErrors } from "../failures/classify.ts"
import { excerpt } from "../failures/redact.ts"

const stderrTailChars = 60 * 1024

/** The tail of a long stderr begins in the middle of a line, which may be of the protocol: half of it tells nothing. */
export function wholeLines(stderr: string): string {
  const end = stderr.indexOf("\n")
  const isTail = stderr.length >= stderrTailChars && end !== -1 && end < stderr.length - 1
  return isTail ? stderr.slice(end + 1) : stderr
}

export const resultMissing = diagnosis(
  { kind: "crashed", code: "RESULT_MISSING", retryable: false },
  "The agent ended well, but never said that its turn was over.",
)

/** Nothing at all was printed (X2), or only to stderr, where nothing is an answer (ST-19). */
export function noOutput(stderr: string): Diagnosis {
  const where = stderr.trim() === "" ? "" : " What it wrote to stderr is not read as an answer."
  return diagnosis(
    { kind: "noOutput", code: "NO_OUTPUT", retryable: true },
    `The agent ended well and printed no answer.${where}`,
  )
}

export function exitDiagnosis({ status }: Ending, stderr: string, plain = ""): Diagnosis {
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
