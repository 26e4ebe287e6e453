/** Who runs, by what is in its environment; a zombie has none. Looks at /proc, and ends only what it is given. */
import { readdirSync, readFileSync } from "node:fs"

/** Pids whose environment holds a variable that begins with one of these. */
export function marked(...beginnings: readonly string[]): readonly number[] {
  const pids = readdirSync("/proc").filter(name => /^\d+$/.test(name))
  return pids.map(Number).filter(pid => {
    const environment = environmentOf(pid)
    return beginnings.some(beginning => environment.includes(`\0${beginning}`))
  })
}

/** The run that a process belongs to by its mark; null when it has none, or is gone. */
export const runOf = (pid: number): string | null =>
  /\0HOLDFAST_RUN=([^\0]+)/.exec(environmentOf(pid))?.[1] ?? null

function environmentOf(pid: number): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`
  } catch {
    return "" // it is gone, or not ours
  }
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It is gone already.
  }
}
