/**
 * `openHost`: the state folder, the host's lock, the log and the effects, opened in that order and closed in the
 * reverse one. A host keeps nothing that the log does not have.
 */
import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { ManagedRuntime } from "effect"
import { monotonicFactory } from "ulid"
import type { AgentAdapter, Environment } from "../../effects/agent.ts"
import { Host as HostService, hostLayer } from "../../effects/host/host.ts"
import { clocks } from "../../effects/moments.ts"
import { definitions, type RunLimits, streamOf } from "../../machines/index.ts"
import {
  type EraseReport,
  type HostLock,
  lockHost,
  openStore,
  type SessionRow,
  type Store,
} from "../../store/index.ts"
import { checkCwd, checkLimits, checkModel, checkSessionId } from "./checks.ts"
import { Refusal } from "./errors.ts"
import { Front } from "./front.ts"
import { Session } from "./session.ts"
import { stateFolder } from "./state-folder.ts"
import type { Turn } from "./turn.ts"

/** What a host is opened with. Only `agents` is required. */
export interface OpenHostOptions {
  /** At least one; only sessions of these agents are taken over. */
  readonly agents: readonly AgentAdapter[]
  /** The state folder. Default: `$HOLDFAST_HOME`, else `$XDG_STATE_HOME/holdfast`, else `~/.local/state/holdfast`. */
  readonly home?: string
  /** Where keys, binaries and the agents' environment come from. Default: `process.env`. */
  readonly env?: Environment
  /** Milliseconds and bytes; default for sessions launched here. */
  readonly limits?: Partial<RunLimits>
  /** Between two looks at a busy spool, ms. Default 25. */
  readonly pollMs?: number
  /** How long an agent's raw output is kept after its turn has settled, ms. Default 7 days; the reply stays. */
  readonly spoolRetentionMs?: number
  /** A longer line of an agent is dropped and leaves a notice. Bytes; default 16 MiB. */
  readonly maxLineBytes?: number
}

/** What a session is launched with. Only `cwd` is required. */
export interface LaunchOptions {
  /** Name of a registered adapter. Default: the only one. */
  readonly agent?: string
  /** The folder to work in. */
  readonly cwd: string
  /** Default: the adapter's. */
  readonly model?: string
  /** Milliseconds and bytes; what is not given is the host's, and else `defaultLimits`. */
  readonly limits?: Partial<RunLimits>
  /** Default: a new one. Letters, digits, `._-`. */
  readonly id?: string
}

/** How a host ends: by default it interrupts what runs. */
export interface CloseOptions {
  /** Leave running turns to the next host, instead of interrupting them. */
  readonly leave?: boolean
  /** How long interrupted turns may take, ms. Default 15,000. */
  readonly graceMs?: number
}

/** How long a closing host waits for readers that do not read on, ms. */
const readerPatienceMs = 1_000

/**
 * Opens a host. It takes over what a dead host left, before it resolves. Rejects with `LIMIT_INVALID`, a `FOLDER_...`
 * code when the state folder cannot be used (`StateFolderRefused`), or a `STORE_...` code (`StoreUnavailable`).
 */
export async function openHost(options: OpenHostOptions): Promise<Host> {
  const env = options.env ?? process.env
  const folder = stateFolder(env, options.home)
  const newId = idFactory()
  const host = `h${newId()}`
  const limits = checkLimits(options.limits ?? {})
  const store = openStore({ folder, definitions, clock: clocks, host, mode: "write" })
  const agents = new Map(options.agents.map(adapter => [adapter.name, adapter]))
  const pollMs = options.pollMs ?? 25
  const maxLineBytes = options.maxLineBytes ?? 16 * 1024 * 1024
  const spoolRetentionMs = options.spoolRetentionMs ?? 7 * 24 * 60 * 60_000
  const settings = {
    folder,
    host,
    agents,
    env,
    pollMs,
    quietPollMs: pollMs * 8,
    maxLineBytes,
    spoolRetentionMs,
  }
  const lock = lockOrClose(folder, host, store)
  const runtime = ManagedRuntime.make(hostLayer(settings, store))
  const shutDown = async () => {
    await runtime.dispose()
    store.releaseSessions()
    store.close()
    lock.release()
  }
  try {
    const service = await runtime.runPromise(HostService)
    const claim = () => runtime.runPromise(service.claim)
    const front = new Front({ store, folder, agents, maxLineBytes, pollMs }, env, newId, claim)
    const erase = (session: string) => runtime.runPromise(service.erase(session))
    const { stopStarting } = service
    return new Host({
      front,
      limits,
      newId,
      erase,
      stopStarting,
      shutDown,
    })
  } catch (error) {
    await shutDown()
    throw error
  }
}

/** What an open host is made of. */
interface Opened {
  readonly front: Front
  readonly limits: RunLimits
  readonly newId: () => string
  readonly erase: (session: string) => Promise<EraseReport>
  readonly stopStarting: () => void
  readonly shutDown: () => Promise<void>
}

/** An open host: one process that embeds Holdfast. Made by `openHost`; `await using` closes it. */
export class Host {
  readonly #opened: Opened
  #closing: Promise<void> | null = null

  constructor(opened: Opened) {
    this.#opened = opened
  }

  /**
   * Registers a session; nothing is spawned until its first prompt. Rejects with `AGENT_UNKNOWN`, `CWD_MISSING`,
   * `MODEL_INVALID`, `LIMIT_INVALID`, `SESSION_ID_INVALID`, or the store's refusal when the id is taken.
   */
  async launch(options: LaunchOptions): Promise<Session> {
    const { agents } = this.#opened.front.reading
    const name = options.agent ?? (agents.size === 1 ? [...agents.keys()][0] : undefined) ?? ""
    const adapter = agents.get(name)
    if (adapter === undefined) throw new Refusal("AGENT_UNKNOWN", name)
    const session = options.id === undefined ? this.#opened.newId() : checkSessionId(options.id)
    const about = {
      session,
      agent: adapter.name,
      cwd: checkCwd(resolve(options.cwd)),
      model: checkModel(options.model ?? adapter.defaultModel),
      limits: checkLimits({ ...this.#opened.limits, ...options.limits }),
    }
    await this.#opened.front.command({
      stream: streamOf.session(session),
      inputs: [{ type: "launch", ...about }],
    })
    return new Session(this.#opened.front, session, this.#opened.newId)
  }

  /** A session by its id, e.g. after a restart. Throws `SESSION_UNKNOWN`. */
  session(id: string): Session {
    const session = new Session(this.#opened.front, id, this.#opened.newId)
    session.status()
    return session
  }

  /** All sessions of the state folder, oldest first, whoever owns them. */
  sessions(): readonly SessionRow[] {
    return this.#store.sessions().filter(row => !row.undecodable)
  }

  /** A turn of any session by its id. Throws `TURN_UNKNOWN`. */
  turn(id: string): Turn {
    const row = this.#store.turn(id)
    if (row === null || row.undecodable) throw new Refusal("TURN_UNKNOWN", id)
    return this.session(row.session).turn(id)
  }

  /**
   * Takes every text of a session away: prompts, replies, spools, the agent's private configuration, the key of
   * its digests. Its events stay and name nothing. Refused while a turn runs (`SESSION_BUSY`). Prompts that
   * wait are taken away too, and their turns fail with `PROMPT_MISSING`. `complete` is false while another process
   * still reads old pages; erase again then.
   */
  async erase(session: string): Promise<EraseReport> {
    if (this.session(session).status().currentTurn !== null) throw new Refusal("SESSION_BUSY", session)
    await this.#opened.front.own(session)
    return this.#opened.erase(session)
  }

  /** Ends orderly: running turns of this host are interrupted, or left to the next one. May be called twice. */
  close(options: CloseOptions = {}): Promise<void> {
    this.#closing ??= this.#close(options)
    return this.#closing
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #close({ leave = false, graceMs = 15_000 }: CloseOptions): Promise<void> {
    this.#opened.stopStarting()
    if (!leave) await Promise.race([this.#interruptAll(), sleep(graceMs, undefined, { ref: false })])
    await this.#opened.front.letReadersEnd(readerPatienceMs)
    this.#opened.front.close()
    await this.#opened.shutDown()
  }

  async #interruptAll(): Promise<void> {
    const mine = this.sessions().filter(row => this.#store.owns(row.session) && row.currentTurn !== null)
    await Promise.all(
      mine.map(async row => {
        const turn = this.session(row.session).turn(row.currentTurn ?? "")
        await turn.interrupt().catch(() => {}) // it has settled meanwhile: what we wanted
        await turn.result
      }),
    )
  }

  get #store(): Store {
    return this.#opened.front.store
  }
}

function lockOrClose(folder: string, host: string, store: Store): HostLock {
  try {
    return lockHost(folder, host)
  } catch (error) {
    store.close()
    throw error
  }
}

/** Sorted by time, lower case, so that they can be file names anywhere. */
function idFactory(): () => string {
  const ulid = monotonicFactory()
  return () => ulid().toLowerCase()
}
