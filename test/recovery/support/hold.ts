/**
 * Holding a launcher at an exact step: a file that it opens is a pipe for a while, and opening one of those waits
 * until somebody comes to its other end. Nothing else about the run is changed.
 */
import { spawnSync } from "node:child_process"
import { closeSync, constants, openSync, readFileSync, renameSync, writeSync } from "node:fs"
import { join } from "node:path"
import { until } from "./until.ts"

/** Between the claim and the start of the agent, for whoever is started from now on. */
export function holdBeforeAgent(folder: string): { readonly restore: () => void } {
  return { restore: swap(folder, "stderr") }
}

export interface HeldBeforeClaim {
  /** A launcher has come here, and waits. */
  readonly reached: () => Promise<void>
  /** Whoever comes from now on is not held. */
  readonly restore: () => void
  /** The one that waits goes on. */
  readonly release: () => void
}

/** Before the claim, while the prompt is compared with its digest. */
export function holdBeforeClaim(folder: string): HeldBeforeClaim {
  const path = join(folder, "prompt")
  const prompt = readFileSync(path)
  const restore = swap(folder, "prompt")
  let end: number | null = null
  return {
    reached: async () => {
      end = await until("a launcher reads its prompt", () => tryOpen(path))
    },
    restore,
    release: () => {
      if (end === null) throw new Error("nobody waits")
      writeSync(end, prompt)
      closeSync(end)
    },
  }
}

function swap(folder: string, name: string): () => void {
  const path = join(folder, name)
  const aside = join(folder, `.aside-${name}`)
  const pipe = join(folder, `.pipe-${name}`)
  const { status } = spawnSync("mkfifo", ["-m", "600", pipe])
  if (status !== 0) throw new Error("mkfifo failed")
  renameSync(path, aside)
  renameSync(pipe, path)
  return () => renameSync(aside, path)
}

/** To write; it works only when a reader is there. */
function tryOpen(path: string): number | null {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
}
