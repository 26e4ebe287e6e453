/**
 * What can be seen from outside: the log as another process reads it, the agent's own journal, the run folders.
 * Nothing here asks a host.
 */
import { join } from "node:path"
import { expect } from "vitest"
import { type JournalEntry, readJournal } from "../../../adapters/rehearsal/index.ts"
import { type RunFolderState, readFolder } from "../../../effects/run-folder/read.ts"
import { definitions } from "../../../machines/index.ts"
import { openStore, type Reader } from "../../../store/index.ts"
import type { EventRecord, TurnRow } from "../../../store/types.ts"
import type { Ground } from "./common.ts"
import { until } from "./until.ts"

type Note<E extends JournalEntry["event"]> = Extract<JournalEntry, { readonly event: E }>

const terminal = ["succeeded", "failed", "interrupted", "outcomeUnknown"]

export class Evidence {
  readonly #world: Pick<Ground, "home" | "journal">
  #reader: Reader | null = null

  constructor(world: Pick<Ground, "home" | "journal">) {
    this.#world = world
  }

  /** A host has made the log. */
  exists(): boolean {
    try {
      return this.log(reader => reader.lastPosition() > 0)
    } catch {
      return false
    }
  }

  /** Ask the log, as a process that only reads. */
  log<A>(ask: (reader: Reader) => A): A {
    this.#reader ??= openStore({ folder: this.#world.home, definitions, mode: "read" })
    return ask(this.#reader)
  }
  close(): void {
    this.#reader?.close()
    this.#reader = null
  }

  events(): readonly EventRecord[] {
    return this.log(reader => {
      const all: EventRecord[] = []
      for (let after = 0; ; ) {
        const page = reader.readEvents({ after, limit: 1_000 })
        for (const event of page) if (!event.undecodable) all.push(event)
        const last = page.at(-1)
        if (last === undefined) return all
        after = last.position
      }
    })
  }
  /** `run.found`, `turn.interrupt`, ...: the events of one kind. */
  logged(kind: string): readonly EventRecord[] {
    return this.events().filter(event => `${event.machine}.${event.type}` === kind)
  }
  async untilLogged(kind: string): Promise<void> {
    await until(`${kind} is in the log`, () => this.exists() && this.logged(kind).length > 0)
  }

  turns(session = "s"): readonly TurnRow[] {
    return this.log(reader => reader.turns(session).filter(row => !row.undecodable))
  }
  /** The only turn, or the one in this place. */
  turn(place = 1): TurnRow {
    const row = this.turns()[place - 1]
    if (row === undefined) throw new Error("there is no such turn")
    return row
  }
  async untilSettled(place = 1): Promise<TurnRow> {
    return until("the turn is settled", () => {
      const row = this.turn(place)
      return row.outcome !== null && row
    })
  }

  notes<E extends JournalEntry["event"]>(event: E): readonly Note<E>[] {
    return readJournal(this.#world.journal).filter(note => note.event === event) as Note<E>[]
  }

  folder(run: string): string {
    return join(this.#world.home, "runs", run)
  }
  /** The first run of the only turn. */
  run(): string {
    return `${this.turn().turn}.1`
  }
  files(run = this.run()): RunFolderState {
    return readFolder(this.folder(run))
  }
  async claimed(run = this.run()): Promise<number> {
    return until("the run is claimed", () => {
      const { claim } = this.files(run)
      return claim?.by === "launcher" && claim.identity.pid
    })
  }

  story(): string {
    if (!this.exists()) return "there is no log"
    const log = this.events().map(
      event =>
        `${event.position} e${event.epoch} ${event.stream} ${event.type} ${event.from} -> ${event.to} ${JSON.stringify(event.data)}`,
    )
    const journal = readJournal(this.#world.journal).map(note => JSON.stringify(note))
    const waiting = this.log(reader => reader.outbox()).map(row => JSON.stringify(row))
    return [...log, "outbox", ...waiting, "journal", ...journal].join("\n")
  }

  /** I3, I8 and the chain, whatever happened. */
  answer(): void {
    if (!this.exists()) return
    expect(this.log(reader => reader.verify().problems)).toEqual([])
    const runs = this.notes("prompt").map(note => note.run)
    expect(new Set(runs).size, "prompts per run").toBe(runs.length)
    const ends = this.events().filter(
      ({ machine, from, to }) => machine === "turn" && terminal.includes(to) && !terminal.includes(from),
    )
    const turns = ends.map(event => event.stream)
    expect(new Set(turns).size, "ends per turn").toBe(turns.length)
  }
}
