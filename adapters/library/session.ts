/** A session as the embedding program holds it. Every verb is one command; the log is what remembers. */
import type { Followed } from "../../effects/follow/events.ts"
import { streamOf } from "../../machines/words.ts"
import type { SessionRow, TurnRow } from "../../store/types.ts"
import { checkCommandId, promptBytes } from "./checks.ts"
import { AgentNotReady, Refusal } from "./errors.ts"
import type { FollowOptions, Front } from "./front.ts"
import { Turn } from "./turn.ts"

/** How a prompt is sent. */
export interface SendOptions {
  /**
   * Names this request: the same id with the same prompt gives the same turn, and does nothing twice; with
   * another prompt it is a `COMMAND_CONFLICT`. 1 to 200 printable ASCII characters. Default: a new one.
   */
  readonly id?: string
}

/** A conversation of one agent in one folder; it outlives every process. Made by `host.launch` or `host.session`. */
export class Session {
  /** The session's id: keep it to find the session again after a restart. */
  readonly id: string
  readonly #front: Front
  readonly #newId: () => string

  constructor(front: Front, id: string, newId: () => string) {
    this.#front = front
    this.id = id
    this.#newId = newId
  }

  /**
   * Queue a prompt. Returns at once; `turn.accepted` tells when it is durable, `turn.result` how it ended. Throws
   * `ID_INVALID`, `PROMPT_EMPTY`, `PROMPT_TOO_LARGE` or `PROMPT_NOT_UNICODE`; `accepted` rejects with `AGENT_UNKNOWN`,
   * what stands in the agent's way, `QUEUE_FULL`, or `COMMAND_CONFLICT`.
   */
  send(prompt: string | Uint8Array, options: SendOptions = {}): Turn {
    const command = options.id === undefined ? this.#newId() : checkCommandId(options.id)
    const turn = options.id === undefined ? command : this.#turnOf(command)
    const bytes = promptBytes(prompt)
    const posted = Promise.withResolvers<void>()
    const accepted = this.#send(turn, bytes, `send:${this.id}:${command}`, posted.resolve)
    accepted.then(posted.resolve, posted.reject)
    return new Turn(this.#front, this.id, turn, accepted, posted.promise)
  }

  /** A turn of this session by its id, e.g. after a restart. Throws `TURN_UNKNOWN`. */
  turn(id: string): Turn {
    const row = this.#front.store.turn(id)
    if (row === null || row.undecodable || row.session !== this.id) throw new Refusal("TURN_UNKNOWN", id)
    return new Turn(this.#front, this.id, id, Promise.resolve())
  }

  /** All turns of the session, oldest first. */
  turns(): readonly TurnRow[] {
    return this.#front.store.turns(this.id).filter(row => !row.undecodable)
  }

  /** Its row as it stands: state, current turn, queue length, the agent's conversation. */
  status(): SessionRow {
    const row = this.#front.store.session(this.id)
    if (row === null || row.undecodable) throw new Refusal("SESSION_UNKNOWN", this.id)
    return row
  }

  /**
   * Everything that happens in the session, in order, from its beginning or behind a cursor, each event with its
   * cursor `at`; ends when this host is closed. Fails with `CURSOR_INVALID`.
   */
  events(options: FollowOptions = {}): AsyncGenerator<Followed & { readonly at: string }, void, undefined> {
    return this.#front.follow(this.id, undefined, options)
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
  /** Put the session away: what runs is interrupted, and no prompt is taken until `resume`. */
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

  async #send(turn: string, bytes: Uint8Array, id: string, posted: () => void): Promise<void> {
    const { store, reading } = this.#front
    const row = this.status()
    const adapter = reading.agents.get(row.agent)
    if (adapter === undefined) throw new Refusal("AGENT_UNKNOWN", row.agent)
    const obstacle = await this.#front.obstacle(adapter)
    if (obstacle !== null) throw new AgentNotReady(obstacle)
    const digest = store.keyedDigest(this.id, bytes)
    const command = {
      stream: streamOf.session(this.id),
      inputs: [{ type: "send", turn, prompt: digest }],
      texts: [{ session: this.id, digest, bytes }],
      id,
    }
    await this.#front.command(command, posted)
  }

  async #command(input: { readonly type: string; readonly turn?: string }): Promise<void> {
    await this.#front.command({ stream: streamOf.session(this.id), inputs: [input] })
  }
}
