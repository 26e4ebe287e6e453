/**
 * Removing a run's folder. In one step out of sight, then in pieces: a half-removed folder that has its prompt
 * and no claim would look like one that was never started (I8).
 */
import { renameSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { flushFolder } from "./durable.ts"
import { errnoOf } from "./errors.ts"

export function removeFolder(folder: string): void {
  const runs = dirname(folder)
  // Ids never begin with a dot, so this is nobody's folder.
  const leaving = join(runs, `.removed-${basename(folder)}`)
  // What an interrupted removal left.
  rmSync(leaving, { recursive: true, force: true })
  try {
    renameSync(folder, leaving)
  } catch (cause) {
    if (errnoOf(cause) === "ENOENT") return
    throw cause
  }
  flushFolder(runs)
  rmSync(leaving, { recursive: true, force: true })
}
