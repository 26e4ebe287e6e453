/**
 * From promises to Effects: the library's own errors become the error channel, as they are; whatever else is thrown
 * is a defect. Nothing is translated, so an error reads alike in both front doors.
 */
import { Effect, Stream } from "effect"
import { RunFolderError } from "../../../effects/run-folder/errors.ts"
import {
  CommandConflict,
  Deposed,
  HostTaken,
  LimitExceeded,
  Rejected,
  SessionErased,
  StateFolderRefused,
  StoreUnavailable,
  StreamQuarantined,
  StreamUnknown,
} from "../../../store/errors.ts"
import { AgentNotReady, Refusal } from "../errors.ts"
import { Refused } from "../front.ts"

/** What a caller can be refused with. Any other error of the library asks to be reported, so it is a defect. */
const expected = [
  Refusal,
  AgentNotReady,
  Refused,
  CommandConflict,
  Deposed,
  HostTaken,
  LimitExceeded,
  Rejected,
  RunFolderError,
  SessionErased,
  StateFolderRefused,
  StoreUnavailable,
  StreamQuarantined,
  StreamUnknown,
] as const

/**
 * The error channel of the Effect layer: each has a stable `code`, says whether the same again may work
 * (`retryable`), and its message names the next step. The first three are refusals of the front door and of other
 * hosts; the rest come from the store and the run folders. Tell them apart by `code`.
 */
export type HoldfastError = InstanceType<(typeof expected)[number]>

const isExpected = (error: unknown): error is HoldfastError => expected.some(kind => error instanceof kind)

const expectedOrDefect = (error: unknown): Effect.Effect<never, HoldfastError> =>
  isExpected(error) ? Effect.fail(error) : Effect.die(error)

const asIs = (error: unknown): unknown => error

/** A verb that answers at once. */
export function answer<A>(verb: () => A): Effect.Effect<A, HoldfastError> {
  return Effect.try({ try: verb, catch: asIs }).pipe(Effect.catch(expectedOrDefect))
}

/** A verb that takes its time. Interrupting the fiber ends the waiting, and nothing else. */
export function wait<A>(verb: () => Promise<A>): Effect.Effect<A, HoldfastError> {
  return Effect.tryPromise({ try: verb, catch: asIs }).pipe(Effect.catch(expectedOrDefect))
}

/** A reader. It is told to stop when the stream's scope closes, also in the middle of waiting for the next event. */
export function read<A>(reader: (signal: AbortSignal) => AsyncIterable<A>): Stream.Stream<A, HoldfastError> {
  const controller = Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    opened => Effect.sync(() => opened.abort()),
  )
  return Stream.unwrap(
    controller.pipe(Effect.map(({ signal }) => Stream.fromAsyncIterable(reader(signal), asIs))),
  ).pipe(Stream.catch(error => Stream.fromEffect(expectedOrDefect(error))))
}
