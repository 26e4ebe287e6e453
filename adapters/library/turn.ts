/** A turn as the embedding program holds it: its events, its result, its interrupt. It keeps no state of its own. */
import { type Cursor, type Followed, formatCursor, parseCursor } from "../../effects/follow/events.ts"
import { follow } from "../../effects/follow/follow.ts"
import { type Settlement, settlementOf } from "../../effects/follow/settlement.ts"
import { Refusal } from "./errors.ts"
import type { Front } from "./front.ts"

/** How the turn ended; `usage` is in tokens, and whatever is unknown is null. */
export interface TurnResult extends Settlement {
  readonly session: string
  readonly turn: string
}

export interface FollowTurn {
  /** Go on behind this event's cursor. */
  readonly after?: string
  readonly signal?: AbortSignal
}

export class Turn {
  readonly id: string
  readonly session: string
  /** Resolves when the prompt is durable: from here on a crash does not lose it. */
  readonly accepted: Promise<void>
  readonly #front: Front

  constructor(front: Front, session: string, id: string, accepted: Promise<void>) {
    this.#front = front
    this.session = session
    this.id = id
    this.accepted = accepted
    // Whoever awaits `result` or reads `events` gets the refusal; an unread promise must not end the program.
    accepted.catch(() => {})
  }

  /** Everything that a reader can see of the turn, in order; ends after `turn.settled`. */
  async *events(
    options: FollowTurn = {},
  ): AsyncGenerator<Followed & { readonly at: string }, void, undefined> {
    await this.accepted
    const from = cursorOf(options.after)
    const { session, id: turn } = this
    const followed = follow({
      ...this.#front.reading,
      session,
      turn,
      live: true,
      cursor: from,
      signal: options.signal,
    })
    for await (const event of followed) yield { ...event, at: formatCursor(event.cursor) }
  }

  /** Resolves when the outcome is durable; an agent's failure is a result, not a rejection. */
  get result(): Promise<TurnResult> {
    return this.accepted.then(() => this.#front.settled(this.id)).then(() => this.#result())
  }

  #result(): TurnResult {
    const { session, id: turn } = this
    return { session, turn, ...settlementOf(this.#front.store, session, turn) }
  }

  /** End the turn. Resolves when it is over: its processes are dead by then, or named in `turn.settled`. */
  async interrupt(): Promise<void> {
    await this.accepted
    await this.#front.interrupt(this.session, this.id)
  }
}

export function cursorOf(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const cursor = parseCursor(text)
  if (cursor === null) throw new Refusal("CURSOR_INVALID")
  return cursor
}
