/** Looking for processes from outside, as somebody would who trusts no account of ours. */
import { readdirSync, readFileSync } from "node:fs"

/** Linux tells which environment a process was started with. */
export function pidsWith(entry: string, except: ReadonlySet<number | undefined>): readonly number[] {
  return readdirSync("/proc")
    .filter(name => /^\d+$/.test(name) && !except.has(Number(name)))
    .filter(name => environmentOf(name).split("\0").includes(entry))
    .map(Number)
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1")
  } catch {
    return ""
  }
}
