/** The folders of one sequence and what can be read in them; nothing here asks a host. Removed when it is over. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rehearsal } from "../../../adapters/agents/index.ts"
import { type JournalEntry, readJournal, writeScenario } from "../../../adapters/rehearsal/index.ts"
import { formatCursor } from "../../../effects/follow/events.ts"
import { follow } from "../../../effects/follow/follow.ts"
import { settlementOf } from "../../../effects/follow/settlement.ts"
import type { SessionRow, TurnRow } from "../../../store/types.ts"
import { Evidence as Log } from "../../recovery/support/evidence.ts"
import type { Ground, Seen } from "../fixtures/words.ts"
import { scenario } from "./behaviours.ts"
import type { Ended } from "./evidence.ts"
import { endProcess, marked } from "./processes.ts"

const mark = "HOLDFAST_SEQUENCE_PLACE"

/** Far away, but for the graces: most of a sequence would be waiting for them. */
const limits = {
  firstOutputMs: 3_600_000,
  idleMs: 3_600_000,
  toolIdleMs: 3_600_000,
  totalMs: 36_000_000,
  resultGraceMs: 60,
  signalGraceMs: 60,
  unattendedMs: 3_600_000,
  maxSpoolBytes: 1_000_000_000,
} as const

export class Place {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-sequence-")))
  readonly home = join(this.root, "state")
  readonly journalPath = join(this.root, "journal")
  readonly log = new Log({ home: this.home, journal: this.journalPath })
  readonly ground: Ground

  constructor(compileCache: string) {
    const cwd = join(this.root, "workspace")
    mkdirSync(cwd)
    this.ground = {
      home: this.home,
      cwd,
      journal: this.journalPath,
      scenario: writeScenario(this.root, scenario),
      env: {
        PATH: process.env.PATH ?? "",
        HOME: this.root,
        NODE_COMPILE_CACHE: compileCache,
        HOLDFAST_LOG: process.env.HOLDFAST_LOG ?? "error",
        [mark]: this.root,
      },
      passed: [mark, "NODE_COMPILE_CACHE"],
      limits,
    }
  }

  journal(): readonly JournalEntry[] {
    return readJournal(this.journalPath)
  }
  session(id: string): SessionRow | null {
    const row = this.log.exists() ? this.log.log(reader => reader.session(id)) : null
    return row === null || row.undecodable ? null : row
  }
  sessions(): readonly SessionRow[] {
    return this.log.exists() ? this.log.log(reader => reader.sessions().filter(row => !row.undecodable)) : []
  }
  turns(session: string): readonly TurnRow[] {
    return this.log.exists() ? this.log.turns(session) : []
  }

  /** What a reader gets from the beginning of a session to what there is now. */
  async read(session: string): Promise<readonly Seen[]> {
    const agents = new Map([["rehearsal", rehearsal()]])
    const at = { folder: this.home, agents, maxLineBytes: 16 * 1024 * 1024, pollMs: 5 }
    const events: Seen[] = []
    const followed = this.log.log(store => follow({ ...at, store, session, live: false }))
    for await (const event of followed) events.push({ ...event, at: formatCursor(event.cursor) })
    return events
  }

  ended(session: string): readonly Ended[] {
    return this.turns(session).map(({ turn, outcome }) => {
      if (outcome === null) return { session, turn, outcome, text: null, left: [] }
      const { text, left } = this.log.log(reader => settlementOf(reader, session, turn))
      return { session, turn, outcome, text, left }
    })
  }

  /** What each run of a session left in its stdout. */
  spools(session: string): Readonly<Record<string, string>> {
    const runs = this.turns(session).flatMap(({ turn, runs: count }) =>
      Array.from({ length: count }, (_, index) => `${turn}.${index + 1}`),
    )
    const read = runs.map(run => [run, readOrNull(join(this.log.folder(run), "stdout"))] as const)
    return Object.fromEntries(read.flatMap(([run, text]) => (text === null ? [] : [[run, text]])))
  }

  /** Files of the state folder that hold one of these words. */
  holding(words: readonly string[]): readonly string[] {
    if (words.length === 0) return []
    const files = readdirSync(this.home, { recursive: true, withFileTypes: true }).filter(entry =>
      entry.isFile(),
    )
    const paths = files.map(entry => join(entry.parentPath, entry.name))
    return paths.filter(path => words.some(word => readFileSync(path).includes(word)))
  }

  /** Live processes of the runs of this place: launchers, agents, and what they started. No host is among them. */
  alive(): readonly number[] {
    return marked(`${mark}=${this.root}\0`)
  }
  /** SIGKILL to all of them at once, as the end of a container or of the power does it. */
  async endRuns(): Promise<void> {
    for (let left = this.alive(); left.length > 0; left = this.alive()) {
      for (const pid of left) endProcess(pid)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }

  async clear(): Promise<void> {
    await this.endRuns()
    this.log.close()
    rmSync(this.root, { recursive: true, force: true })
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null // the run never got so far, or its session was erased
  }
}
