/**
 * What sessions and turns share behind the front door: one way to give a command, whoever owns the session, and
 * one way to wait for a turn. It keeps nothing but the open host.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { AgentAdapter, Environment, Obstacle } from "../../effects/agent.ts"
import type { Input } from "../../machines/kernel.ts"
import { streamOf } from "../../machines/words.ts"
import { Deposed } from "../../store/errors.ts"
import type { Store, Text, TurnRow } from "../../store/index.ts"
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

/** An answer of another host's that was a refusal. */
export class Refused extends Error {
  readonly code: string
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
    this.#claim = claim
  }

  get store(): Store {
    if (this.#closed) throw new Refusal("HOST_CLOSED")
    return this.reading.store
  }
  close(): void {
    this.#closed = true
  }

  /** Resolves when the command is durable and accepted, by this host or by the live owner of the session. */
  async command(command: Command): Promise<void> {
    const { id, ...rest } = command
    const submission = { ...rest, actor: "user" as const, ...(id !== undefined && { command: { id } }) }
    try {
      await this.store.submit(submission)
    } catch (error) {
      if (!(error instanceof Deposed)) throw error
      const claimed = await this.#claim()
      if (claimed.includes(error.session)) await this.store.submit(submission)
      else await this.#post({ ...rest, id: id ?? this.#newId() })
    }
  }

  /** Make the session this host's, if nobody live owns it. */
  async own(session: string): Promise<void> {
    if (this.store.owns(session)) return
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

  async #post(command: Command & { readonly id: string }): Promise<void> {
    this.store.postCommand(command)
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
