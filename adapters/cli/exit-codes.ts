/**
 * The one table of exit codes: which outcome, which kind of failure and which refusal ends the command with which
 * number. Data only; what is printed along with it is said elsewhere.
 */
import type { FailureKind, TurnOutcome } from "../../machines/words.ts"
import type { TurnResult } from "../library/turn.ts"

export const exitCodes = {
  ok: 0,
  /** The agent failed, or something here did while it worked; also an outcome that nobody knows. */
  failed: 1,
  /** Bad input: nothing was started. */
  usage: 2,
  timedOut: 3,
  /** No such session, or turn. */
  unknown: 4,
  /** No key, a wrong one, or no right to. */
  denied: 5,
  /** The service asks to wait: the same again works later (`EX_TEMPFAIL`). */
  later: 75,
  interrupted: 130,
} as const

const ofOutcome: Record<TurnOutcome, number> = {
  succeeded: exitCodes.ok,
  failed: exitCodes.failed,
  interrupted: exitCodes.interrupted,
  outcomeUnknown: exitCodes.failed,
}

const ofFailure: Partial<Record<FailureKind, number>> = {
  auth: exitCodes.denied,
  timedOut: exitCodes.timedOut,
  rateLimited: exitCodes.later,
  overloaded: exitCodes.later,
  quota: exitCodes.later,
}

/** Codes of refusals that are not bad input. What is not listed and has no prefix below is a failure of ours. */
const ofCode: Readonly<Record<string, number>> = {
  SESSION_UNKNOWN: exitCodes.unknown,
  TURN_UNKNOWN: exitCodes.unknown,
  STREAM_UNKNOWN: exitCodes.unknown,
  KEY_MISSING: exitCodes.denied,
  NOT_LOGGED_IN: exitCodes.denied,
  DEMO_FAILED: exitCodes.failed,
  TURN_BLOCKED: exitCodes.failed,
  HOST_LIVE: exitCodes.usage,
  ERASE_DECLINED: exitCodes.interrupted,
}
const badInput =
  /^(?:USAGE|PROMPT|CWD|ID|LIMIT|CURSOR|MODEL|AGENT|BINARY|FOLDER|SESSION|TURN|QUEUE|COMMAND|NESTING|BAD)_/

export function exitOfResult({ outcome, failure }: Pick<TurnResult, "outcome" | "failure">): number {
  if (outcome !== "failed" || failure === null) return ofOutcome[outcome]
  return ofFailure[failure.kind] ?? exitCodes.failed
}

export function exitOfCode(code: string): number {
  return ofCode[code] ?? (badInput.test(code) ? exitCodes.usage : exitCodes.failed)
}
