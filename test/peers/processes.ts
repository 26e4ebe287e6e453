/** What the process table says of single processes. */
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { expect } from "vitest"
import { isAlive } from "../cases/harness.ts"

/** Its command line, without the folder of its program; "" when it is gone. */
export function commandOf(pid: number): string {
  try {
    const [program = "", ...words] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
    return [basename(program), ...words].join(" ").trim()
  } catch {
    return ""
  }
}

export const expectGone = (pids: readonly number[]): void => expect(pids.filter(isAlive)).toEqual([])
