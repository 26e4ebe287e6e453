/**
 * Asking an adapter for something. Adapters are other people's code: what they throw becomes a failure of the run,
 * with the adapter's own code where it has one, and never a run that is tried again for ever.
 */
import { Cause, Data, Effect } from "effect"
import { type Failure, failure } from "../../machines/words.ts"

export class AdapterError extends Data.TaggedError("AdapterError")<{
  readonly failure: Failure
  readonly cause: unknown
}> {}

export function ask<A>(question: () => Promise<A>): Effect.Effect<A, AdapterError> {
  return Effect.tryPromise({
    try: question,
    catch: cause => new AdapterError({ failure: failureOf(cause), cause }),
  }).pipe(Effect.tapError(reportDefect))
}

/** A refusal that the adapter words itself is told by the turn; a defect of it is for whoever runs this host. */
const reportDefect = ({ failure, cause }: AdapterError) =>
  failure.code === "ADAPTER_DEFECT"
    ? Effect.logWarning("an adapter threw", Cause.fail(cause))
    : Effect.logDebug("an adapter refused", { code: failure.code })

function failureOf(cause: unknown): Failure {
  const { kind, code, retryable } =
    typeof cause === "object" && cause !== null ? (cause as Partial<Failure>) : {}
  const parsed = failure.safeParse({ kind, code, retryable })
  return parsed.data ?? { kind: "host", code: "ADAPTER_DEFECT", retryable: false }
}
