/**
 * What sessions and turns share behind the front door: one way to give a command, whoever owns the session, and
 * one way to wait for a turn. It keeps nothing but the open host.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { AgentAdapter, Environment, Obstacle } from "../../effects/agent.ts"
import { type Followed, formatCursor } from "../../effects/follow/events.ts"
import { canStand, follow } from "../../effects/follow/follow.ts"
import type { Input } from "../../machines/kernel.ts"
import { streamOf } from "../../machines/words.ts"
import { Deposed } from "../../store/errors.ts"
import type { Store, Text, TurnRow } from "../../store/index.ts"
import { cursorOf } from "./cursor.ts"
import { Refusal } from "./errors.ts"

export interface Command {
  readonly stream: string
  readonly inputs: readonly Input[]
  readonly texts?: readonly Text[]
  /** The same id and content again gives the first answer and does nothing twice. */
  readonly id?: string
}

/** What a reader of sessions needs. */
export interface Reading {
  readonly store: Store
  readonly folder: string
  readonly agents: ReadonlyMap<string, AgentAdapter>
  readonly maxLineBytes: number
  readonly pollMs: number
}

/** Where a reader begins, and how it is ended. */
export interface FollowOptions {
  /** Go on behind this event: its `at`, as an earlier reader was given it. */
  readonly after?: string
  /** Ends the reader when aborted; the turn goes on. */
  readonly signal?: AbortSignal
}

type Told = AsyncGenerator<Followed & { readonly at: string }, void, undefined>

/** An answer of another host's that was a refusal. */
export class Refused extends Error {
  /** For `Effect.catchTag`. */
  readonly _tag = "Refused"
  /** The owner's own code, e.g. `QUEUE_FULL`. */
  readonly code: string
  /** The owner says that the same again may work. */
  readonly retryable: boolean
  constructor(answer: { readonly code: string; readonly message: string; readonly retryable: boolean }) {
    super(answer.message)
    this.name = "Refused"
    this.code = answer.code
    this.retryable = answer.retryable
  }
}

export class Front {
  readonly reading: Reading
  readonly #env: Environment
  readonly #newId: () => string
  readonly #claim: () => Promise<readonly string[]>
  readonly #leaving = new AbortController()
  readonly #readers = new Set<Promise<void>>()
  #closed = false

  constructor(
    reading: Reading,
    env: Environment,
    newId: () => string,
    claim: () => Promise<readonly string[]>,
  ) {
    this.reading = reading
    this.#env = env
    this.#newId = newId
    this.#claim = () =>
      claim().catch((error: unknown) => {
        // The effects were shut down under a verb that was still asking.
        throw this.#closed ? new Refusal("HOST_CLOSED", undefined, error) : error
      })
  }

  get store(): Store {
    if (this.#closed) throw new Refusal("HOST_CLOSED")
    return this.reading.store
  }
  /** Nothing more will happen here: readers get what there is, and end. Resolves when they have, or do not read on. */
  async letReadersEnd(patienceMs: number): Promise<void> {
    this.#leaving.abort()
    await Promise.race([Promise.all(this.#readers), sleep(patienceMs, undefined, { ref: false })])
  }
  close(): void {
    this.#closed = true
  }

  /** What a reader sees of a session or of one turn, live, each event with the cursor behind it. */
  async *follow(session: string, turn: string | undefined, options: FollowOptions): Told {
    const cursor = cursorOf(options.after)
    const { reading } = this
    if (cursor !== undefined && !canStand(this.store, session, cursor)) throw new Refusal("CURSOR_INVALID")
    const until = this.#leaving.signal
    const ended = Promise.withResolvers<void>()
    this.#readers.add(ended.promise)
    try {
      const all = follow({ ...reading, session, turn, live: true, cursor, signal: options.signal, until })
      for await (const event of all) yield { ...event, at: formatCursor(event.cursor) }
    } catch (error) {
      // The log was closed under a reader that did not read on in time.
      throw this.#closed ? new Refusal("HOST_CLOSED") : error
    } finally {
      this.#readers.delete(ended.promise)
      ended.resolve()
    }
  }
  /** This host is closing, or closed. */
  get isLeaving(): boolean {
    return this.#leaving.signal.aborted
  }

  /**
   * Resolves when the command is durable and accepted, by this host or by the live owner of the session. `posted` is
   * called when it is durable for the owner, whatever that says.
   */
  async command(command: Command, posted: () => void = () => {}): Promise<void> {
    const { id, ...rest } = command
    const submission = { ...rest, actor: "user" as const, ...(id !== undefined && { command: { id } }) }
    try {
      await this.store.submit(submission)
    } catch (error) {
      if (!(error instanceof Deposed)) throw error
      const claimed = await this.#claim()
      if (claimed.includes(error.session)) await this.store.submit(submission)
      else await this.#post({ ...rest, id: id ?? this.#newId() }, posted)
    }
  }

  /** Make the session this host's, if nobody live owns it. */
  async own(session: string): Promise<void> {
    if (this.store.owns(session)) return
    const row = this.store.session(session)
    const agent = row === null || row.undecodable ? "" : row.agent
    if (!this.reading.agents.has(agent)) throw new Refusal("AGENT_UNKNOWN", agent)
    await this.#claim()
    if (!this.store.owns(session)) throw new Refusal("SESSION_ELSEWHERE", session)
  }

  /** Resolves when the turn is over, not when the signal is sent: a caller may rely on nothing being left (I9). */
  async interrupt(session: string, turn: string): Promise<void> {
    await this.command({ stream: streamOf.session(session), inputs: [{ type: "interrupt", turn }] })
    await this.settled(turn)
  }

  /** What stands in the way of running this agent here and now, or null. */
  async obstacle(adapter: AgentAdapter): Promise<Obstacle | null> {
    const noKey = adapter.checkKey(this.#env)
    if (noKey !== null) return noKey
    const located = await adapter.locate(this.#env)
    return "code" in located ? located : null
  }

  /** The turn's row once it has settled; wherever it runs. */
  async settled(turn: string): Promise<TurnRow> {
    for (let looks = 1; ; looks += 1) {
      const row = this.store.turn(turn)
      if (row === null || row.undecodable) throw new Refusal("TURN_UNKNOWN", turn)
      if (row.outcome !== null) return row
      // Its owner may have died or let go meanwhile; then nobody carries it on but who waits for it.
      if (looks % 20 === 0 && !this.store.owns(row.session)) await this.#claim()
      await this.#change()
    }
  }

  async #post(command: Command & { readonly id: string }, posted: () => void): Promise<void> {
    this.store.postCommand(command)
    posted()
    for (let looks = 1; ; looks += 1) {
      const answer = this.store.inboxAnswer(command.id)
      if (answer.state === "accepted") return
      if (answer.state === "rejected") throw new Refused(answer)
      // Its owner may have died meanwhile; then the session, with what waits for it, is ours.
      if (answer.state === "pending" && looks % 20 === 0) await this.#claim()
      await sleep(this.reading.pollMs)
    }
  }

  /** Until something was committed here, or long enough for another host to have committed something. */
  async #change(): Promise<void> {
    const committed = Promise.withResolvers<void>()
    const stop = this.store.onCommit(() => committed.resolve())
    try {
      await Promise.race([committed.promise, sleep(this.reading.pollMs)])
    } finally {
      stop()
    }
  }
}
