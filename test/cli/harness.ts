/**
 * A place for one test of the command: folders, a journal, and real processes of the real command. Tests wait for
 * facts (a line, a file, an exit), never for time; what a test leaves behind is ended with it.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished, vi } from "vitest"
import { readJournal, type Scenario, writeScenario } from "../../adapters/rehearsal/index.ts"
import { type Answer, ask } from "./ask.ts"
import { type Line, linesOf, wholeLines } from "./lines.ts"
import { pidsWith } from "./processes.ts"

/** Bounds a test that waits in vain; none needs it to pass, however busy the machine is. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

export const command = fileURLToPath(new URL("../../adapters/cli/bin.ts", import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Every line of stdout; throws if one is not JSON. */
  readonly lines: () => readonly Line[]
}

export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** The first line of this type, as soon as it is there. */
  readonly line: (type: string) => Promise<Line>
  /** What it has printed so far, in whole lines. */
  readonly told: () => readonly Line[]
}

export interface Options {
  readonly scenario?: Scenario | string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string | Buffer
  /** Flags for node itself. */
  readonly node?: readonly string[]
}

export interface Place {
  readonly root: string
  readonly home: string
  readonly worktree: string
  readonly start: (words: readonly string[], options?: Options) => Started
  readonly run: (words: readonly string[], options?: Options) => Promise<Ended>
  readonly ask: (...words: readonly string[]) => Promise<Answer>
  readonly journal: () => ReturnType<typeof readJournal>
  /** Pids of everything that was started for a session of this place and still lives. */
  readonly alive: () => readonly number[]
}

export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-cli-")))
  const [home, worktree, journalPath] = ["state", "worktree", "journal"].map(name => join(root, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(worktree)
  const hosts = new Set<ChildProcess>()
  const alive = () =>
    pidsWith(`HOLDFAST_REHEARSAL_JOURNAL=${journalPath}`, new Set([...hosts].map(host => host.pid)))
  onTestFinished(async () => {
    for (const host of hosts) host.kill("SIGKILL")
    for (const pid of alive()) process.kill(pid, "SIGKILL")
    await until(() => hosts.size === 0 && alive().length === 0)
    rmSync(root, { recursive: true, force: true })
  })

  const start = (words: readonly string[], { scenario, env = {}, input = "", node = [] }: Options = {}) => {
    const named = typeof scenario === "object" ? writeScenario(root, scenario) : scenario
    const child = spawn(process.execPath, [...node, command, ...words], {
      cwd: worktree,
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH ?? "",
        HOME: root,
        HOLDFAST_HOME: home,
        HOLDFAST_REHEARSAL_JOURNAL: journalPath,
        HOLDFAST_REHEARSAL_PACE: "0",
        ...(named !== undefined && { HOLDFAST_REHEARSAL: named }),
        ...env,
      },
    })
    hosts.add(child)
    child.stdin.on("error", () => undefined) // it may end before it has read everything
    child.stdin.end(input)
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
    const ended = new Promise<Ended>(resolve => {
      child.once("close", (code, signal) => {
        hosts.delete(child)
        const text = stdout()
        resolve({ code, signal, stdout: text, stderr: stderr(), lines: () => linesOf(text) })
      })
    })
    const told = () => wholeLines(stdout())
    const line = async (type: string) => {
      const found = () => told().find(line => line.type === type)
      await until(() => found() !== undefined || !hosts.has(child))
      const first = found()
      if (first === undefined) throw new Error(`no ${type} in:\n${stdout()}${stderr()}`)
      return first
    }
    return { child, ended, line, told }
  }
  return {
    root,
    home,
    worktree,
    start,
    alive,
    ask: (...words) => ask([...words, "--home", home]),
    run: (words, options) => start(words, options).ended,
    journal: () => readJournal(journalPath),
  }
}

/** `run` on the rehearsal agent, as JSON lines, under a session id that a test can name. */
export const rehearse = (session: string, ...more: readonly string[]): readonly string[] => [
  ...["run", "--agent", "rehearsal", "--json", "--session", session, "--cwd", "."],
  ...more,
]

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 10))
}
export const untilThere = (path: string): Promise<void> => until(() => existsSync(path))

function collect(from: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = []
  from.on("data", (part: Buffer) => parts.push(part))
  return () => Buffer.concat(parts).toString("utf8")
}
