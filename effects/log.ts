/**
 * The log as the effects use it: appending what was found out. An observation is never lost: where it cannot be
 * appended now (disk full, locked), it is tried again, and whoever waits for it goes no further.
 */
import { Context, Effect, Layer } from "effect"
import type { Snapshot } from "../machines/kernel.ts"
import { StoreError } from "../store/errors.ts"
import type { Store } from "../store/index.ts"
import type { Receipt, Submission } from "../store/types.ts"
import { patience } from "./patience.ts"

export class Log extends Context.Service<
  Log,
  {
    readonly store: Store
    /** Once; the caller deals with the refusal. */
    readonly submit: (submission: Submission) => Effect.Effect<Receipt, StoreError>
    /** Until it is durable. Fails only where trying again cannot help: another host took over, a defect. */
    readonly append: (submission: Submission) => Effect.Effect<Receipt, StoreError>
    readonly snapshot: (stream: string) => Effect.Effect<Snapshot | null, StoreError>
  }
>()("holdfast/effects/Log") {
  static readonly layer = (store: Store): Layer.Layer<Log> =>
    Layer.sync(Log, () => {
      const submit = (submission: Submission) =>
        Effect.tryPromise({ try: () => store.submit(submission), catch: ofStore })
      return Log.of({
        store,
        submit,
        append: submission =>
          submit(submission).pipe(Effect.retry({ schedule: patience, while: error => error.retryable })),
        snapshot: stream => Effect.try({ try: () => store.snapshot(stream), catch: ofStore }),
      })
    })
}

/** Whatever else a store throws is a defect of it, and stops the fiber loudly. */
function ofStore(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause
  throw cause
}
