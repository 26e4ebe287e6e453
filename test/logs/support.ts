/** Running the program of this folder, and reading what it wrote. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished, vi } from "vitest"
import type { RunLimits } from "../../adapters/library/index.ts"
import { readJournal, type Scenario, writeScenario } from "../../adapters/rehearsal/index.ts"

vi.setConfig({ testTimeout: 180_000 })

export interface Orders {
  readonly home: string
  readonly cwd: string
  readonly journal: string
  readonly scenario: string
  readonly prompts: readonly string[]
  readonly limits?: Partial<RunLimits>
  readonly sessionExists?: boolean
  /** Do not wait for results, and live until killed. */
  readonly thenWait?: boolean
  readonly faults?: readonly ("seedConfig" | "keyGoesAway" | "endOnce")[]
  /** What the faults put into their words. */
  readonly prose?: string
}

export interface Line {
  readonly level: string
  readonly time: string
  readonly pid: number
  readonly host: string
  readonly msg: string
  readonly [field: string]: unknown
}

export interface Run {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly lines: () => readonly Line[]
  readonly ended: Promise<void>
}

/** A folder for one test, with what every order needs. */
export class Scene {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-logs-")))
  readonly home: string
  readonly cwd = join(this.root, "workspace")
  readonly journal = join(this.root, "journal")

  /** @param under a folder between the root and the state folder. */
  constructor(under = "state") {
    this.home = join(this.root, under)
    mkdirSync(this.cwd)
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }))
  }

  at(name: string): string {
    return join(this.root, name)
  }

  /** Starts the program. It is killed with its test, if it still lives. */
  start(scenario: Scenario, log: string | null, orders: Partial<Orders>): Run {
    const { home, cwd, journal } = this
    const whole = { home, cwd, journal, scenario: writeScenario(this.root, scenario), prompts: [], ...orders }
    const env = { PATH: process.env.PATH, HOME: this.root, TEST_AGENT_KEY: secret }
    const child = spawn(process.execPath, [join(import.meta.dirname, "program.ts"), JSON.stringify(whole)], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...env, ...compiled, ...(log !== null && { HOLDFAST_LOG: log }) },
    })
    const ended = new Promise<void>(resolve => child.once("close", () => resolve()))
    onTestFinished(async () => {
      child.kill("SIGKILL")
      await ended
    })
    const said = { stdout: "", stderr: "" }
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        said[name] += text
      })
    return {
      child,
      ended,
      stdout: () => said.stdout,
      stderr: () => said.stderr,
      lines: () => linesOf(said.stderr),
    }
  }

  /** Runs it to its end. */
  async play(scenario: Scenario, log: string | null, orders: Partial<Orders>): Promise<Run> {
    const run = this.start(scenario, log, orders)
    await run.ended
    return run
  }

  journalPids(): readonly number[] {
    return readJournal(this.journal).flatMap(entry => (entry.event === "started" ? [entry.pid] : []))
  }
}

/** In the environment of every program here, as its agent's key. */
export const secret = 'sk-"quoted\\secret"-5f2b'
const compiled =
  process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

/** Fails on a line that is not JSON. */
export const linesOf = (stderr: string): readonly Line[] =>
  stderr
    .split("\n")
    .filter(line => line !== "")
    .map(line => JSON.parse(line) as Line)

/** Asks again until it is true. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + 120_000; !isTrue(); ) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
