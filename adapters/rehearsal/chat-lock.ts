/**
 * One process per chat. A lock is a numbered file that names its owner by pid and birth; it is never released,
 * because a dead owner's lock counts for nothing. So a killed agent blocks nobody, and no clean-up can be missed.
 * A newer lock is always a higher number: two processes that both find a dead owner compete for one name.
 */
import { linkSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { birthOf } from "./birth.ts"

const ATTEMPTS = 50

/** true when this process owns the chat from now on. */
export const claimChat = (folder: string): boolean => {
  const draft = join(folder, `claim.${process.pid}`)
  writeFileSync(draft, `${process.pid} ${birthOf(process.pid)}`)
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const newest = Math.max(0, ...locks(folder))
      if (newest > 0 && isHeld(lockFile(folder, newest))) return false
      if (!takes(draft, lockFile(folder, newest + 1))) continue
      // A listing is not atomic: somebody may have gone further while we looked.
      if (locks(folder).some(one => one > newest + 1)) {
        unlinkSync(lockFile(folder, newest + 1))
        continue
      }
      for (const one of locks(folder)) if (one <= newest) remove(lockFile(folder, one))
      return true
    }
    return false
  } finally {
    remove(draft)
  }
}

const lockFile = (folder: string, number: number): string => join(folder, `lock.${number}`)

const locks = (folder: string): readonly number[] =>
  readdirSync(folder).flatMap(name => (/^lock\.\d+$/.test(name) ? [Number(name.slice("lock.".length))] : []))

const isHeld = (file: string): boolean => {
  try {
    const [pid = "", ...birth] = readFileSync(file, "utf8").split(" ")
    return birthOf(Number(pid)) === birth.join(" ")
  } catch {
    // Removed by a newer owner since we listed it: look again.
    return false
  }
}

/** A link is there with all its content, or it is not there. */
const takes = (draft: string, file: string): boolean => {
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

const remove = (file: string): void => {
  try {
    unlinkSync(file)
  } catch {
    // Somebody else was first.
  }
}
