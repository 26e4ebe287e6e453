/**
 * When a process was born, so that a pid which was given to somebody else is not taken for its former owner.
 * A process that is gone, or a zombie, has no birth.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

export const birthOf = (pid: number): string | null =>
  process.platform === "linux" ? fromProc(pid) : fromPs(pid)

const fromProc = (pid: number): string | null => {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1")
  } catch {
    return null
  }
  // The program's name may hold spaces and brackets; the last bracket ends it. Then: state, 18 others, start time.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null)
}

const fromPs = (pid: number): string | null => {
  const { stdout } = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
  })
  const [, state = "", born = ""] = /^\s*(\S+)\s+(.+?)\s*$/.exec(stdout ?? "") ?? []
  return born === "" || state.startsWith("Z") ? null : born
}
