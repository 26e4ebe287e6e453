/** A turn as the embedding program holds it: its events, its result, its interrupt. It keeps no state of its own. */
import type { Followed } from "../../effects/follow/events.ts"
import { type Settlement, settlementOf } from "../../effects/follow/settlement.ts"
import { Refusal } from "./errors.ts"
import type { FollowOptions, Front } from "./front.ts"

/** How the turn ended; `usage` is in tokens, and whatever is unknown is null. */
export interface TurnResult extends Settlement {
  /** Id of the session. */
  readonly session: string
  /** Id of the turn. */
  readonly turn: string
}

/** One prompt, until exactly one outcome. Made by `session.send`, `session.turn` and `host.turn`. */
export class Turn {
  /** The turn's id: keep it to find the turn again after a restart. */
  readonly id: string
  /** Id of the session it belongs to. */
  readonly session: string
  /** Resolves when the prompt is durable: from here on a crash does not lose it. */
  readonly accepted: Promise<void>
  readonly #front: Front
  readonly #posted: Promise<void>

  /** `posted` resolves when the prompt is durable somewhere, be it only among what its owner has yet to look at. */
  constructor(front: Front, session: string, id: string, accepted: Promise<void>, posted = accepted) {
    this.#front = front
    this.session = session
    this.id = id
    this.accepted = accepted
    this.#posted = posted
    // Whoever awaits `result` or reads `events` gets the refusal; an unread promise must not end the program.
    accepted.catch(() => {})
    posted.catch(() => {})
  }

  /**
   * Everything that a reader can see of the turn, in order, each event with its cursor `at`; ends after
   * `turn.settled`. Fails with `CURSOR_INVALID`, with the refusal of the prompt, or with `HOST_CLOSED` when this host
   * is closed before the turn has settled.
   */
  async *events(
    options: FollowOptions = {},
  ): AsyncGenerator<Followed & { readonly at: string }, void, undefined> {
    await this.accepted
    for await (const event of this.#front.follow(this.session, this.id, options)) {
      yield event
      if (event.type === "turn.settled") return
    }
    if (this.#front.isLeaving && options.signal?.aborted !== true) throw new Refusal("HOST_CLOSED")
  }

  /**
   * Resolves when the outcome is durable; an agent's failure is a result, not a rejection. Rejects with the refusal of
   * the prompt, or `HOST_CLOSED`.
   */
  get result(): Promise<TurnResult> {
    return this.accepted.then(() => this.#front.settled(this.id)).then(() => this.#result())
  }

  #result(): TurnResult {
    const { session, id: turn } = this
    return { session, turn, ...settlementOf(this.#front.store, session, turn) }
  }

  /**
   * End the turn. Resolves when it is over: its processes are dead by then, or named in `turn.settled`. One that its
   * owner has not accepted yet is never begun.
   */
  async interrupt(): Promise<void> {
    await this.#posted
    await this.#front.interrupt(this.session, this.id)
  }
}
