/** A session as the embedding program holds it. Every verb is one command; the log is what remembers. */
import { type Followed, formatCursor } from "../../effects/follow/events.ts"
import { follow } from "../../effects/follow/follow.ts"
import { streamOf } from "../../machines/words.ts"
import type { SessionRow, TurnRow } from "../../store/types.ts"
import { checkCommandId, promptBytes } from "./checks.ts"
import { AgentNotReady, Refusal } from "./errors.ts"
import type { Front } from "./front.ts"
import { cursorOf, type FollowTurn, Turn } from "./turn.ts"

export interface SendOptions {
  /**
   * Names this request: the same id with the same prompt gives the same turn, and does nothing twice; with
   * another prompt it is a `COMMAND_CONFLICT`. 1 to 200 printable ASCII characters. Default: a new one.
   */
  readonly id?: string
}

export class Session {
  readonly id: string
  readonly #front: Front
  readonly #newId: () => string

  constructor(front: Front, id: string, newId: () => string) {
    this.#front = front
    this.id = id
    this.#newId = newId
  }

  /** Queue a prompt. Returns at once; `turn.accepted` tells when it is durable, `turn.result` how it ended. */
  send(prompt: string | Uint8Array, options: SendOptions = {}): Turn {
    const command = options.id === undefined ? this.#newId() : checkCommandId(options.id)
    const turn = options.id === undefined ? command : this.#turnOf(command)
    const bytes = promptBytes(prompt)
    return new Turn(this.#front, this.id, turn, this.#send(turn, bytes, `send:${this.id}:${command}`))
  }

  /** A turn of this session by its id, e.g. after a restart. */
  turn(id: string): Turn {
    const row = this.#front.store.turn(id)
    if (row === null || row.undecodable || row.session !== this.id) throw new Refusal("TURN_UNKNOWN", id)
    return new Turn(this.#front, this.id, id, Promise.resolve())
  }

  turns(): readonly TurnRow[] {
    return this.#front.store.turns(this.id).filter(row => !row.undecodable)
  }

  /** Its row as it stands: state, current turn, queue length, the agent's conversation. */
  status(): SessionRow {
    const row = this.#front.store.session(this.id)
    if (row === null || row.undecodable) throw new Refusal("SESSION_UNKNOWN", this.id)
    return row
  }

  /** Everything that happens in the session, in order, from its beginning or behind a cursor; does not end by itself. */
  async *events(
    options: FollowTurn = {},
  ): AsyncGenerator<Followed & { readonly at: string }, void, undefined> {
    const cursor = cursorOf(options.after)
    const { reading } = this.#front
    const all = follow({ ...reading, session: this.id, live: true, cursor, signal: options.signal })
    for await (const event of all) yield { ...event, at: formatCursor(event.cursor) }
  }

  /** End a turn: the one that runs, or, by id, one that waits. Resolves when it is over. */
  async interrupt(turn?: string): Promise<void> {
    const current = turn ?? this.status().currentTurn
    if (current !== null) await this.#front.interrupt(this.id, current)
  }

  /** Interrupt what runs, and start nothing until `resume`. Prompts can still be queued. */
  async pause(): Promise<void> {
    await this.#command({ type: "pause" })
  }
  /** Also after an outcome that nobody knows, when someone has looked. */
  async resume(): Promise<void> {
    await this.#command({ type: "resume" })
  }
  async archive(): Promise<void> {
    await this.#command({ type: "archive" })
  }
  /** The end of a session: what waits is interrupted, what runs too. */
  async dispose(): Promise<void> {
    for (const row of this.turns()) if (row.state === "queued") await this.interrupt(row.turn)
    await this.#command({ type: "dispose" })
  }

  /**
   * The turn follows from the request, so that a repeated request names the same turn without asking. By the
   * session's key, so that no other state folder of this machine ever has a run by the same name: a run's
   * processes are known by it.
   */
  #turnOf(command: string): string {
    return `t${this.#front.store.keyedDigest(this.id, `\0turn\0${command}`).slice(0, 25)}`
  }

  async #send(turn: string, bytes: Uint8Array, id: string): Promise<void> {
    const { store, reading } = this.#front
    const row = this.status()
    const adapter = reading.agents.get(row.agent)
    if (adapter === undefined) throw new Refusal("AGENT_UNKNOWN", row.agent)
    const obstacle = await this.#front.obstacle(adapter)
    if (obstacle !== null) throw new AgentNotReady(obstacle)
    const digest = store.keyedDigest(this.id, bytes)
    await this.#front.command({
      stream: streamOf.session(this.id),
      inputs: [{ type: "send", turn, prompt: digest }],
      texts: [{ session: this.id, digest, bytes }],
      id,
    })
  }

  async #command(input: { readonly type: string; readonly turn?: string }): Promise<void> {
    await this.#front.command({ stream: streamOf.session(this.id), inputs: [input] })
  }
}
