/**
 * What a run tells its turn, and how it judges its own end. Only here is an outcome made of a reason and of
 * what the spool said; whether another run is worth a try is the turn's to decide.
 */
import { orThrow } from "./kernel.ts"
import type { Context, In, On } from "./run-inputs.ts"
import { type CloseReason, type Failure, streamOf, type TurnOutcome } from "./words.ts"

export function reportBlocked({ context, event }: On<"blocked">) {
  return report(context, { type: "runBlocked", reason: event.reason })
}
export function reportActive({ context }: In) {
  return report(context, { type: "runActive" })
}
export function reportIdentified({ context, event }: On<"identified">) {
  return report(context, {
    type: "runIdentified",
    conversation: context.conversation ?? event.conversation,
  })
}
export function reportKnown({ context }: In) {
  return report(context, { type: "outcomeKnown" })
}
export function reportClosed({ context }: In) {
  const { reason, conclusion: said, conversation, emitted, left } = context
  return report(context, {
    type: "runClosed",
    reason: orThrow(reason),
    ...outcomeOf(context),
    verdict: said?.verdict ?? null,
    reply: said?.reply ?? null,
    explanation: said?.explanation ?? context.explanation,
    conversation,
    emitted,
    left,
  })
}
function report(context: Context, input: { type: string; [key: string]: unknown }) {
  const { turn, run: id } = orThrow(context.about)
  return { stream: streamOf.turn(turn), input: { ...input, run: id } }
}

/** A delivered answer wins over whatever ended the process; an interrupt wins over a failure. */
function outcomeOf(context: Context): { outcome: TurnOutcome; failure: Failure | null } {
  const { conclusion: said, reason } = context
  if (said?.terminal && said.verdict.outcome === "succeeded") return { outcome: "succeeded", failure: null }
  if (reason === "abort") return { outcome: "interrupted", failure: null }
  if (said?.terminal || reason === "exited")
    return { outcome: said?.verdict.outcome ?? "failed", failure: said?.verdict.failure ?? null }
  if (reason === "vanished" || reason === "notDelivered" || reason === "elsewhere")
    return { outcome: "outcomeUnknown", failure: null }
  return { outcome: "failed", failure: context.failure ?? failures[orThrow(reason)] ?? null }
}

const failures: Partial<Record<CloseReason, Failure>> = {
  firstOutputTimeout: { kind: "timedOut", code: "FIRST_OUTPUT_TIMEOUT", retryable: false },
  idleTimeout: { kind: "timedOut", code: "IDLE_TIMEOUT", retryable: false },
  totalTimeout: { kind: "timedOut", code: "TOTAL_TIMEOUT", retryable: false },
  unattended: { kind: "host", code: "UNATTENDED", retryable: true },
  spoolLimit: { kind: "limit", code: "SPOOL_LIMIT", retryable: false },
  neverStarted: { kind: "transient", code: "NEVER_STARTED", retryable: true },
}
