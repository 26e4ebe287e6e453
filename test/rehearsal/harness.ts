/**
 * Starts the real program with real pipes, and sees to it that nothing it started outlives its test. Nothing here
 * waits for time to pass: a test waits for a fact (a file, a journal entry, an exit).
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import {
  type JournalEntry,
  readJournal,
  rehearsalProgram,
  type Scenario,
  type SignalName,
  type Step,
  writeScenario,
} from "../../adapters/rehearsal/index.ts"

export const usualFlags = [
  "-p",
  "--output-format",
  "stream-json",
  "--stream-partial-output",
  "--force",
  "--trust",
  "--model",
  "auto",
] as const

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly bytes: Buffer
  /** Every line of stdout that is JSON. */
  readonly events: readonly Event[]
}
export type Event = Readonly<Record<string, unknown>>

export interface Started {
  readonly child: ChildProcess
  readonly pid: number
  readonly ended: Promise<Ended>
  readonly stderrBytes: () => number
  readonly kill: (signal: SignalName) => void
}

export interface Options {
  readonly scenario?: Scenario | string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** null: stdin stays open. */
  readonly prompt?: string | Buffer | null
  readonly cwd?: string
}

/** A place of its own for a test: workspace, configuration, journal. */
export interface Place {
  readonly cwd: string
  readonly config: string
  file(name: string): string
  journal(): readonly JournalEntry[]
  start(options?: Options): Started
  run(options?: Options): Promise<Ended>
}

/** Compiled once, shared by all processes of all tests. */
const compileCache = join(tmpdir(), "holdfast-rehearsal-test-cache")

export const turns = (...steps: readonly Step[]): Scenario => ({ turns: [{ steps }] })

/** Tests that run side by side hand over their own `onTestFinished`. */
export const makePlace = (whenFinished: (clean: () => Promise<void>) => void = onTestFinished): Place => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "rehearsal-")))
  const cwd = join(root, "workspace")
  const config = join(root, "config")
  const journalPath = join(root, "journal")
  mkdirSync(cwd)
  const journal = (): readonly JournalEntry[] => readJournal(journalPath)
  const running = new Set<ChildProcess>()
  whenFinished(async () => {
    for (const child of running) {
      const gone = new Promise(resolve => child.once("close", resolve))
      child.kill("SIGKILL")
      endLeftovers(journal())
      await gone
    }
    endLeftovers(journal())
    rmSync(root, { recursive: true, force: true })
  })
  const start = ({
    scenario,
    args = usualFlags,
    env = {},
    prompt = "hello",
    cwd: at = cwd,
  }: Options = {}): Started => {
    const named = typeof scenario === "object" ? writeScenario(root, scenario) : scenario
    const child = spawn(process.execPath, [rehearsalProgram, ...args], {
      cwd: at,
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH ?? "",
        HOME: root,
        NODE_COMPILE_CACHE: compileCache,
        CURSOR_CONFIG_DIR: config,
        HOLDFAST_REHEARSAL_JOURNAL: journalPath,
        HOLDFAST_REHEARSAL_PACE: "0",
        ...(named !== undefined && { HOLDFAST_REHEARSAL: named }),
        ...env,
      },
    })
    running.add(child)
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
    const ended = new Promise<Ended>(resolve => {
      // What a scenario leaves behind may hold our pipes.
      child.once("exit", () => endLeftovers(journal()))
      child.once("close", (code, signal) => {
        running.delete(child)
        const bytes = stdout.bytes()
        const text = bytes.toString("utf8")
        resolve({
          code,
          signal,
          bytes,
          stdout: text,
          stderr: stderr.bytes().toString("utf8"),
          events: eventsIn(text),
        })
      })
    })
    // The agent may be gone before it has read its prompt.
    child.stdin.on("error", () => undefined)
    if (prompt !== null) child.stdin.end(prompt)
    return {
      child,
      pid: child.pid ?? Number.NaN,
      ended,
      stderrBytes: stderr.size,
      kill: signal => void child.kill(signal),
    }
  }
  return {
    cwd,
    config,
    journal,
    file: name => join(cwd, name),
    start,
    run: options => start(options).ended,
  }
}

/** Asks again until it is true; the test's own limit bounds it. */
export const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 5))
}

export const untilThere = (path: string): Promise<void> => until(() => existsSync(path))

export const ofType = (events: readonly Event[], type: string): readonly Event[] =>
  events.filter(event => event.type === type)

export const textOf = (event: Event | undefined): string => {
  const message = event?.message as { content: { text: string }[] } | undefined
  return message?.content.map(item => item.text).join("") ?? ""
}

export const resultOf = (ended: Ended): Event => {
  const [result] = ofType(ended.events, "result")
  if (result === undefined) throw new Error(`no result in: ${ended.stdout}\n${ended.stderr}`)
  return result
}

const eventsIn = (text: string): readonly Event[] =>
  text.split("\n").flatMap(line => {
    try {
      const value: unknown = JSON.parse(line)
      return typeof value === "object" && value !== null ? [value as Event] : []
    } catch {
      return []
    }
  })

const collect = (
  from: NodeJS.ReadableStream,
): { readonly bytes: () => Buffer; readonly size: () => number } => {
  const parts: Buffer[] = []
  let size = 0
  from.on("data", (part: Buffer) => {
    parts.push(part)
    size += part.length
  })
  return { bytes: () => Buffer.concat(parts), size: () => size }
}

const endLeftovers = (entries: readonly JournalEntry[]): void => {
  for (const entry of entries)
    if (entry.event === "spawned")
      try {
        process.kill(entry.detached ? -entry.child : entry.child, "SIGKILL")
      } catch {
        // Gone already.
      }
}
