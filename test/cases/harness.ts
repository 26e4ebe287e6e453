/**
 * A place for one case: a state folder, a workspace and a journal of their own, hosts of the real library, and the
 * rehearsal agent as a real process. What a case may believe is what can be seen from outside: a reader's events,
 * the result, the log, the agent's own journal, and /proc. When a case is over, every place answers for the same
 * promises: nothing is left alive, the log verifies, no text is in it, and no prompt was delivered twice.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Database from "better-sqlite3"
import { expect, test, vi } from "vitest"
import { rehearsal } from "../../adapters/agents/index.ts"
import {
  type Host,
  type OpenHostOptions,
  openHost,
  type Session,
  type Turn,
  type TurnResult,
} from "../../adapters/library/index.ts"
import {
  type JournalEntry,
  readJournal,
  type Scenario,
  writeScenario,
} from "../../adapters/rehearsal/index.ts"
import type { Followed } from "../../effects/follow/events.ts"
import { definitions } from "../../machines/index.ts"
import { openStore } from "../../store/index.ts"
import type { EventRecord } from "../../store/types.ts"

export type Seen = Followed & { readonly at: string }
export type SeenOf<T extends Seen["type"]> = Extract<Seen, { readonly type: T }>

export interface PlaceOptions extends Partial<OpenHostOptions> {
  /** What the agent plays; default: the built-in demo. */
  readonly scenario?: Scenario | string
  /** A factor on the scenario's own waits. Default 0. */
  readonly pace?: number
}

/** One turn as its reader and its caller saw it. */
export interface Played {
  readonly host: Host
  readonly session: Session
  readonly turn: Turn
  readonly events: readonly Seen[]
  readonly result: TurnResult
}

/** Compiled once, shared by all agents of all cases. */
export const compileCache = join(tmpdir(), "holdfast-cases-compile-cache")
const mark = "HOLDFAST_CASE"
/** Bounds a case that waits in vain; no case needs it to pass, however busy the machine is. */
const patienceMs = 100_000
vi.setConfig({ testTimeout: patienceMs + 20_000 })

export class Place {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-case-")))
  readonly cwd = join(this.root, "workspace")
  readonly home = join(this.root, "state")
  readonly journalPath = join(this.root, "journal")
  /** Texts that no row of the log may hold. */
  readonly texts = new Set<string>()
  /** Processes that the case is about, and that nobody but the test has to end. */
  readonly expectedLeft = new Set<number>()
  readonly #hosts: Host[] = []
  readonly #undo: (() => void)[] = []

  constructor() {
    mkdirSync(this.cwd)
  }

  /** To be done when nothing of the place runs any more, before its files are removed. */
  undo(act: () => void): void {
    this.#undo.push(act)
  }

  /** A path beside the workspace. */
  at(name: string): string {
    return join(this.root, name)
  }

  /** The environment of a host of this place: nothing of the person who runs the tests but the PATH. */
  get env(): Readonly<Record<string, string>> {
    return {
      PATH: process.env.PATH ?? "",
      HOME: this.root,
      NODE_COMPILE_CACHE: compileCache,
      HOLDFAST_LOG: process.env.HOLDFAST_LOG ?? "error",
      [mark]: this.root,
    }
  }

  /** The rehearsal agent of this place. */
  agent({ scenario, pace = 0 }: Pick<PlaceOptions, "scenario" | "pace"> = {}) {
    const named = typeof scenario === "object" ? writeScenario(this.root, scenario) : scenario
    return rehearsal({
      ...(named !== undefined && { scenario: named }),
      journal: this.journalPath,
      pace,
      passEnvironment: [...passed],
    })
  }

  async open({ scenario, pace, ...options }: PlaceOptions = {}): Promise<Host> {
    const host = await openHost({
      agents: [
        this.agent({ ...(scenario !== undefined && { scenario }), ...(pace !== undefined && { pace }) }),
      ],
      home: this.home,
      env: this.env,
      pollMs: 20,
      ...options,
    })
    this.#hosts.push(host)
    return host
  }

  /** Open, launch, send, read to the end. */
  async play(scenario: Scenario | string, options: PlaceOptions & { prompt?: string } = {}): Promise<Played> {
    const { prompt = "please do what the scenario says", ...rest } = options
    const host = await this.open({ scenario, ...rest })
    const session = await host.launch({ cwd: this.cwd })
    return { host, session, ...(await this.take(session, prompt)) }
  }

  /** One more turn of a session, read to its end. */
  async take(session: Session, prompt: string): Promise<Omit<Played, "host" | "session">> {
    const turn = this.send(session, prompt)
    const events = await all(turn)
    return { turn, events, result: await this.result(turn) }
  }

  send(session: Session, prompt: string, id?: string): Turn {
    this.texts.add(prompt)
    return session.send(prompt, id === undefined ? {} : { id })
  }

  async result(turn: Turn): Promise<TurnResult> {
    const result = await turn.result
    for (const text of [result.text, result.explanation]) if (text !== null) this.texts.add(text)
    return result
  }

  journal(): readonly JournalEntry[] {
    return readJournal(this.journalPath)
  }

  noted<E extends JournalEntry["event"]>(event: E): readonly Extract<JournalEntry, { event: E }>[] {
    return this.journal().filter(entry => entry.event === event) as Extract<JournalEntry, { event: E }>[]
  }

  /** Every event of the log, as another process reads it. */
  log(): readonly EventRecord[] {
    return this.read(reader => {
      const events: EventRecord[] = []
      for (let after = 0; ; ) {
        const page = reader.readEvents({ after, limit: 1000 })
        for (const event of page) if (!event.undecodable) events.push(event)
        const last = page.at(-1)
        if (last === undefined) return events
        after = last.position
      }
    })
  }

  read<A>(ask: (reader: ReturnType<typeof readerOf>) => A): A {
    const reader = readerOf(this.home)
    try {
      return ask(reader)
    } finally {
      reader.close()
    }
  }

  /** Live processes that were started on behalf of this place, launchers and what escaped included. */
  alive(): readonly number[] {
    return marked(`${mark}=${this.root}`).filter(pid => !this.expectedLeft.has(pid))
  }

  async untilDead(): Promise<void> {
    await until(
      () => this.alive().length === 0,
      () => `these are alive: ${this.alive().map(commandLine).join(", ")}`,
    )
  }

  async closeHosts(): Promise<void> {
    for (const host of this.#hosts.splice(0)) await host.close()
  }

  /** What holds after every case, whatever it was about. */
  async answer(): Promise<void> {
    await this.closeHosts()
    if (!existsSync(join(this.home, "log.sqlite"))) return
    await this.untilDead()
    expect(this.read(reader => reader.verify().problems)).toEqual([])
    const rows = dump(join(this.home, "log.sqlite"))
    for (const text of this.texts) for (const form of formsOf(text)) expect(rows.includes(form)).toBe(false)
    const delivered = this.noted("prompt").map(entry => entry.run)
    expect(new Set(delivered).size).toBe(delivered.length)
    const settled = this.log().filter(
      event => isTurn(event) && isTerminal(event.to) && !isTerminal(event.from),
    )
    const turns = settled.map(event => event.stream)
    expect(new Set(turns).size).toBe(turns.length)
  }

  /** Ends what is left by pid, and removes everything. */
  async clear(): Promise<void> {
    for (const host of this.#hosts.splice(0)) await host.close().catch(() => undefined)
    for (let left = marked(`${mark}=${this.root}`); left.length > 0; left = marked(`${mark}=${this.root}`)) {
      for (const pid of left) endProcess(pid)
      await soon()
    }
    for (const act of this.#undo.splice(0).reverse()) act()
    rmSync(this.root, { recursive: true, force: true })
  }
}

/** A case: gets a place, and the place answers for it in the end. */
export const it = test.extend<{ place: Place }>({
  place: async ({ task }, use) => {
    const place = new Place()
    try {
      await use(place)
      // A case that failed has said so already.
      if (task.result?.state !== "fail") await place.answer()
    } finally {
      await place.clear()
    }
  },
})

/** Variables that agents of a place take from its hosts. */
const passed = [mark, "NODE_COMPILE_CACHE"] as const

const readerOf = (folder: string) => openStore({ folder, definitions, mode: "read" })

export async function all(turn: Turn, after?: string): Promise<readonly Seen[]> {
  const events: Seen[] = []
  for await (const event of turn.events(after === undefined ? {} : { after })) events.push(event)
  return events
}

export function ofType<T extends Seen["type"]>(events: readonly Seen[], type: T): readonly SeenOf<T>[] {
  return events.filter(event => event.type === type) as SeenOf<T>[]
}

/** Everything that was streamed, in one piece. */
export function streamed(events: readonly Seen[]): string {
  return ofType(events, "text.delta")
    .map(event => event.text)
    .join("")
}

/** The texts of the blocks, in order. */
export function blocks(events: readonly Seen[]): readonly string[] {
  const texts: string[] = []
  for (const { block, text } of ofType(events, "text.delta")) texts[block] = (texts[block] ?? "") + text
  return texts
}

export function noticed(events: readonly Seen[]): readonly string[] {
  return ofType(events, "notice").map(event => event.code)
}

/** Reads a turn until `wanted` comes, without ending the reading of anybody else. */
export async function untilSeen(turn: Turn, wanted: (event: Seen) => boolean): Promise<readonly Seen[]> {
  const events: Seen[] = []
  for await (const event of turn.events()) {
    events.push(event)
    if (wanted(event)) return events
  }
  throw new Error("the turn was over before it came")
}

/** Asks again until it is true; the case's own limit bounds it. */
export async function until(isTrue: () => boolean, orElse = () => "waited in vain"): Promise<void> {
  const end = performance.now() + patienceMs
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(orElse())
    await soon()
  }
}

export const untilThere = (path: string) =>
  until(
    () => existsSync(path),
    () => `${path} never came`,
  )

/** What it was refused with, whether it was thrown or rejected. */
export async function refusal(
  act: () => unknown,
): Promise<{ readonly code: string; readonly retryable: boolean; readonly message: string }> {
  try {
    const given = act()
    await (typeof given === "object" && given !== null && "accepted" in given ? given.accepted : given)
  } catch (error) {
    if (error instanceof Error && "code" in error && "retryable" in error)
      return { code: String(error.code), retryable: error.retryable === true, message: error.message }
    throw error
  }
  throw new Error("it was not refused")
}

export function isAlive(pid: number): boolean {
  try {
    // The state follows the name, which is in parentheses and may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(") ") + 2))
  } catch {
    return false
  }
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It is gone already.
  }
}

/** All that the log's file says, except where texts and keys belong. */
function dump(file: string): string {
  const db = new Database(file, { readonly: true })
  try {
    const tables = db
      .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
    const named = tables.map(({ name }) => name).filter(name => !["blobs", "keys"].includes(name))
    return named
      .flatMap(name => db.prepare<[], object>(`SELECT * FROM "${name}"`).all())
      .flatMap(row => Object.values(row))
      .join("\n")
  } finally {
    db.close()
  }
}

/** How the beginning of a text would look in a row; words that are too common say nothing. */
function formsOf(text: string): readonly string[] {
  const head = text.trim().slice(0, 60)
  return head.length < 10 ? [] : [head, JSON.stringify(head).slice(1, -1)]
}

const soon = () => new Promise(resolve => setTimeout(resolve, 5))
const isTurn = (event: EventRecord) => event.machine === "turn"
const isTerminal = (state: string) => ["succeeded", "failed", "interrupted", "outcomeUnknown"].includes(state)

/** Pids whose environment holds this; a zombie has none. */
function marked(variable: string): readonly number[] {
  return readdirSync("/proc")
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(`\0${variable}\0`)
      } catch {
        return false
      }
    })
}

function commandLine(pid: number): string {
  try {
    return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").slice(0, 200)}`
  } catch {
    return `${pid}`
  }
}
