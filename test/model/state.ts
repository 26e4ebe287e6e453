/** Reading a state of the model, and the state that comes after a small change. No rule of the protocol is here. */
import { type FolderContext, folderContext } from "../../machines/folder.ts"
import { folder, type Input, orThrow, type Snapshot } from "../../machines/index.ts"
import type { Budget } from "./config.ts"
import { stepped } from "./stepped.ts"
import type { Run, World } from "./world.ts"

const emptyFolder = (() => {
  // Any observation makes the first snapshot; this one is ignored there.
  const made = stepped(folder, null, { type: "agentDied" })
  if (made.rejected) throw new Error(made.code)
  return made.snapshot
})()
const noRun: Run = { folder: emptyFolder, spool: [], launchers: [], agents: [], spawns: 0, status: 0 }

export const runOf = (world: World, run: string): Run => world.runs[run] ?? noRun
export const withRun = (world: World, run: string, changes: Partial<Run>): World => ({
  ...world,
  runs: { ...world.runs, [run]: { ...runOf(world, run), ...changes } },
})
const contexts = new WeakMap<Snapshot, FolderContext>()
export function folderOf(world: World, run: string): FolderContext {
  const { folder: snapshot } = runOf(world, run)
  const known = contexts.get(snapshot) ?? folderContext.parse(snapshot.context)
  contexts.set(snapshot, known)
  return known
}

/** Publish into a run's folder; null when that is impossible there. */
export function publish(world: World, run: string, input: Input): World | null {
  const done = stepped(folder, runOf(world, run).folder, input)
  return done.rejected ? null : withRun(world, run, { folder: done.snapshot })
}

export const stateOf = (world: World, run: string): string =>
  world.log.streams[`run:${run}`]?.value ?? "absent"

/** The run that is not over, if there is one: runs of one session follow one another. */
export function openRun(world: World): string | null {
  const open = Object.entries(world.log.streams).find(
    ([stream, { status }]) => stream.startsWith("run:") && status === "active",
  )
  return open === undefined ? null : open[0].slice("run:".length)
}

export const turnOfRun = (run: string): string => orThrow(run.split(".")[0])
export const spend = (world: World, ...kinds: readonly (keyof Budget)[]): World | null =>
  kinds.every(kind => world.left[kind] > 0)
    ? {
        ...world,
        left: { ...world.left, ...Object.fromEntries(kinds.map(kind => [kind, world.left[kind] - 1])) },
      }
    : null
export const breakBy = (world: World, invariant: string, what: string): World =>
  world.broken.some(violation => violation.invariant === invariant)
    ? world
    : { ...world, broken: [...world.broken, { invariant, what }] }
