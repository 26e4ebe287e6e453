/**
 * Real folders, real launchers, small real agents. Everything started here is ended here, by identity and by the
 * run's own mark. Tests wait for facts, with a generous limit, and never for time.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterEach } from "vitest"
import { endProcesses } from "../../effects/process/end.ts"
import { ownIdentity } from "../../effects/process/identity.ts"
import { defaultLimits, type RunSpec } from "../../effects/run-folder/files.ts"
import { type RunFolderState, RunFolders } from "../../effects/run-folder/folder.ts"
import type { ProcessIdentity } from "../../machines/words.ts"

export interface World {
  readonly root: string
  readonly folders: RunFolders["Service"]
}

const worlds: World[] = []
const runs: Array<{ readonly world: World; readonly run: string }> = []
let counter = 0

export function world(): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-run-")))
  const folders = Effect.runSync(
    Effect.gen(function* () {
      return yield* RunFolders
    }).pipe(Effect.provide(RunFolders.layer(root))),
  )
  const made = { root, folders }
  worlds.push(made)
  return made
}

/** No other run on this machine has this id. */
export function newRun(world: World): string {
  counter += 1
  const run = `test-${process.pid}-${counter}-${Math.random().toString(36).slice(2)}`
  runs.push({ world, run })
  return run
}

afterEach(async () => {
  for (const { world, run } of runs.splice(0)) {
    const state = await Effect.runPromise(world.folders.read(run))
    await Effect.runPromise(
      endProcesses({
        run,
        launcher: state?.claim?.by === "launcher" ? state.claim.identity : null,
        agent: state?.agent ?? null,
        ladder: [{ signal: "SIGKILL", graceMs: 10_000 }],
      }),
    )
  }
  for (const { root } of worlds.splice(0)) rmSync(root, { recursive: true, force: true })
})

/** Ticks are short, limits far away: a test that wants one near says so. */
export function spec(over: Partial<RunSpec> & Pick<RunSpec, "binary" | "args">): RunSpec {
  return { ...defaultLimits, cwd: "/", tickMs: 50, endGraceMs: 200, ...over }
}

/** An agent that is a program of `sh`; `args` are its $1, $2, ... */
export function shell(program: string, ...args: readonly string[]): Pick<RunSpec, "binary" | "args"> {
  return { binary: "/bin/sh", args: ["-c", program, "agent", ...args] }
}

export const env = { PATH: process.env.PATH ?? "/usr/bin:/bin" }

export interface Started {
  readonly run: string
  readonly folder: string
  readonly gone: Promise<number | null>
  readonly state: () => Promise<RunFolderState>
  readonly file: (name: string) => string
}

export async function start(
  world: World,
  runSpec: RunSpec,
  more: { readonly prompt?: string | Uint8Array; readonly owner?: ProcessIdentity } = {},
): Promise<Started> {
  const run = newRun(world)
  await prepare(world, run, runSpec, more)
  const { gone } = await Effect.runPromise(world.folders.launch(run, env))
  return started(world, run, gone)
}

export async function prepare(
  world: World,
  run: string,
  runSpec: RunSpec,
  {
    prompt = "hello\n",
    owner = ownIdentity(),
  }: { prompt?: string | Uint8Array; owner?: ProcessIdentity } = {},
): Promise<void> {
  await Effect.runPromise(world.folders.prepare({ run, spec: runSpec, prompt: Buffer.from(prompt), owner }))
}

export function started(world: World, run: string, gone: Promise<number | null>): Started {
  const state = async () => {
    const found = await Effect.runPromise(world.folders.read(run))
    if (found === null) throw new Error("the run folder is gone")
    return found
  }
  const folder = world.folders.path(run)
  return { run, folder, gone, state, file: name => readFileSync(join(folder, name), "utf8") }
}

/** Waits until `ask` gives something other than null, undefined or false. */
export async function until<A>(what: string, ask: () => A | Promise<A>): Promise<NonNullable<A>> {
  for (let turn = 0; turn < 2_000; turn += 1) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error(`waited in vain until ${what}`)
}

/** The identity of a process that has ended and been asked for. */
export function deadIdentity(): ProcessIdentity {
  const { pid } = spawnSync("/bin/true")
  return { ...ownIdentity(), pid, start: "1" }
}

export function executable(path: string, text: string): string {
  writeFileSync(path, text, { mode: 0o700 })
  return path
}
