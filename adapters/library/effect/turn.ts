/** A turn for programs that use Effect: the library's `Turn`, its verbs as Effects and Streams. */
import type { Effect, Stream } from "effect"
import type { Followed } from "../../../effects/follow/events.ts"
import type { Turn, TurnResult } from "../turn.ts"
import { type HoldfastError, read, wait } from "./errors.ts"

/** Where a stream of events begins. */
export interface StreamOptions {
  /** Go on behind the event that carried this cursor as `at`. Default: from the beginning. */
  readonly after?: string
}

/** A turn whose prompt is durable; see `Turn` for what the verbs promise. */
export interface HoldfastTurn {
  /** The turn's id: keep it to find the turn again after a restart. */
  readonly id: string
  /** Id of the session it belongs to. */
  readonly session: string
  /**
   * Everything that a reader can see of the turn, in order, each event with its cursor `at`; ends after
   * `turn.settled`. Interrupting the fiber, or `Stream.take`, ends the reader and leaves the turn alone.
   * Fails with `CURSOR_INVALID`, or `HOST_CLOSED` when the layer's scope has closed.
   */
  readonly events: (
    options?: StreamOptions,
  ) => Stream.Stream<Followed & { readonly at: string }, HoldfastError>
  /**
   * How the turn ended, once that is durable. An agent's failure is a result, not an error. Interrupting the
   * waiting fiber leaves the turn running; to end the turn as well, say so:
   * `turn.result.pipe(Effect.onInterrupt(() => Effect.ignore(turn.interrupt())))`.
   */
  readonly result: Effect.Effect<TurnResult, HoldfastError>
  /** End the turn. Succeeds when it is over: its processes are dead by then, or named in the result's `left`. */
  readonly interrupt: () => Effect.Effect<void, HoldfastError>
}

/** The verbs of one turn. */
export function turnOf(turn: Turn): HoldfastTurn {
  return {
    id: turn.id,
    session: turn.session,
    events: (options = {}) => read(signal => turn.events({ ...options, signal })),
    result: wait(waitOnce(() => turn.result)),
    interrupt: () => wait(() => turn.interrupt()),
  }
}

/** However many fibers wait, and however often they are interrupted: one of them looks. */
function waitOnce<A>(begin: () => Promise<A>): () => Promise<A> {
  let waiting: Promise<A> | null = null
  return () => {
    waiting ??= begin().finally(() => {
      waiting = null
    })
    return waiting
  }
}
