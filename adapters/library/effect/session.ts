/** A session for programs that use Effect: the library's `Session`, its verbs as Effects and Streams. */
import { Effect, type Stream } from "effect"
import type { Followed } from "../../../effects/follow/events.ts"
import type { SessionRow, TurnRow } from "../../../store/types.ts"
import type { SendOptions, Session } from "../session.ts"
import { answer, type HoldfastError, read, wait } from "./errors.ts"
import { type HoldfastTurn, type StreamOptions, turnOf } from "./turn.ts"

/** A conversation of one agent in one folder; see `Session` for what the verbs promise. */
export interface HoldfastSession {
  /** The session's id: keep it to find the session again after a restart. */
  readonly id: string
  /**
   * Queue a prompt. Succeeds when it is durable: from here on a crash does not lose it. A fiber that is interrupted
   * before that does not know whether it was taken; with an `id` it can send the same again, and nothing is done
   * twice. Fails with `PROMPT_EMPTY`, `PROMPT_TOO_LARGE`, `PROMPT_NOT_UNICODE`, `ID_INVALID`, `AGENT_UNKNOWN`,
   * `QUEUE_FULL`, `COMMAND_CONFLICT` (the id was used for another prompt), or what stands in the agent's way.
   */
  readonly send: (
    prompt: string | Uint8Array,
    options?: SendOptions,
  ) => Effect.Effect<HoldfastTurn, HoldfastError>
  /** A turn of this session by its id. Fails with `TURN_UNKNOWN`. */
  readonly turn: (id: string) => Effect.Effect<HoldfastTurn, HoldfastError>
  /** All turns of the session, oldest first. */
  readonly turns: () => Effect.Effect<readonly TurnRow[], HoldfastError>
  /** Its row as it stands: state, current turn, queue length, the agent's conversation. */
  readonly status: () => Effect.Effect<SessionRow, HoldfastError>
  /**
   * Everything that happens in the session, in order, from its beginning or behind a cursor; does not end by
   * itself. Interrupting the fiber, or `Stream.take`, ends the reader and nothing else.
   */
  readonly events: (
    options?: StreamOptions,
  ) => Stream.Stream<Followed & { readonly at: string }, HoldfastError>
  /** End a turn: the one that runs, or, by id, one that waits. Succeeds when it is over. */
  readonly interrupt: (turn?: string) => Effect.Effect<void, HoldfastError>
  /** Interrupt what runs, and start nothing until `resume`. Prompts can still be queued. */
  readonly pause: () => Effect.Effect<void, HoldfastError>
  /** Go on; also after an outcome that nobody knows, when someone has looked. */
  readonly resume: () => Effect.Effect<void, HoldfastError>
  /** Put the session away: what runs is interrupted, and no prompt is taken until `resume`. */
  readonly archive: () => Effect.Effect<void, HoldfastError>
  /** The end of the session: what waits is interrupted, what runs too. */
  readonly dispose: () => Effect.Effect<void, HoldfastError>
}

/** The verbs of one session. */
export function sessionOf(session: Session): HoldfastSession {
  const send = Effect.fn("HoldfastSession.send")(function* (
    prompt: string | Uint8Array,
    options?: SendOptions,
  ): Effect.fn.Return<HoldfastTurn, HoldfastError> {
    const turn = yield* answer(() => session.send(prompt, options))
    yield* wait(() => turn.accepted)
    return turnOf(turn)
  })
  return {
    id: session.id,
    send,
    turn: id => answer(() => turnOf(session.turn(id))),
    turns: () => answer(() => session.turns()),
    status: () => answer(() => session.status()),
    events: (options = {}) => read(signal => session.events({ ...options, signal })),
    interrupt: turn => wait(() => session.interrupt(turn)),
    pause: () => wait(() => session.pause()),
    resume: () => wait(() => session.resume()),
    archive: () => wait(() => session.archive()),
    dispose: () => wait(() => session.dispose()),
  }
}
