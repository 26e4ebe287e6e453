/** A turn as the embedding program holds it: its events, its result, its interrupt. It keeps no state of its own. */
import { type Cursor, type Followed, formatCursor, parseCursor } from "../../effects/follow/events.ts"
import { follow } from "../../effects/follow/follow.ts"
import type { Failure, FailureKind, TurnOutcome, Usage } from "../../machines/words.ts"
import type { TurnRow } from "../../store/types.ts"
import { Refusal } from "./errors.ts"
import type { Front } from "./front.ts"

/** A followed event, with its cursor as one opaque word. */
export type TurnEventView = Omit<Followed, "cursor"> & { readonly cursor: string }

export interface TurnResult {
  readonly session: string
  readonly turn: string
  readonly outcome: TurnOutcome
  /** The whole reply, or what there was of it; null when there is none. */
  readonly text: string | null
  readonly failure: Failure | null
  readonly degraded: FailureKind | null
  /** Tokens; null when unknown. */
  readonly usage: Usage | null
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
    return this.accepted.then(() => this.#front.settled(this.id)).then(row => this.#result(row))
  }

  /** End the turn. Resolves when it is over: its processes are dead by then, or named in `turn.settled`. */
  async interrupt(): Promise<void> {
    await this.accepted
    await this.#front.interrupt(this.session, this.id)
  }

  #result(row: TurnRow): TurnResult {
    const text = row.reply === null ? null : this.#front.store.readText(row.session, row.reply.digest)
    return {
      session: row.session,
      turn: row.turn,
      outcome: row.outcome ?? "outcomeUnknown",
      text: text === null ? null : Buffer.from(text).toString("utf8"),
      failure: row.failure,
      degraded: row.degraded,
      usage: row.usage,
    }
  }
}

export function cursorOf(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const cursor = parseCursor(text)
  if (cursor === null) throw new Refusal("CURSOR_INVALID")
  return cursor
}
