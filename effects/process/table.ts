/**
 * Asking the system about processes: one, all, and whether one carries a mark in its environment.
 * It only reads. It caches nothing, since every answer is true for its moment only.
 */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { type ProcessRow, parseProcStat, parsePsRow } from "./stat.ts"

/** How this system tells about processes: `proc` (Linux), `ps` (macOS, BSD). */
export const look: "proc" | "ps" = process.platform === "linux" ? "proc" : "ps"

/** One option per column: what follows a `=` is all taken for a heading, commas included. */
export const psColumns = ["pid=", "ppid=", "pgid=", "stat=", "lstart="].flatMap(column => ["-o", column])

export function processRow(pid: number): ProcessRow | null {
  if (look === "ps") return parsePsRow(ps([...psColumns, "-p", String(pid)]))
  const text = read(`/proc/${pid}/stat`)
  return text === null ? null : parseProcStat(text.toString("latin1"))
}

/** Every process that can be seen. One that ends while we look is left out. */
export function processTable(): readonly ProcessRow[] {
  if (look === "ps")
    return ps(["-ax", ...psColumns])
      .split("\n")
      .map(parsePsRow)
      .filter(isRow)
  return readdirSync("/proc")
    .filter(name => /^\d+$/.test(name))
    .map(name => processRow(Number(name)))
    .filter(isRow)
}

/**
 * Whether a process was started with exactly this `NAME=value` in its environment; null when we may not know.
 * With `ps`, arguments and environment are one text, and the launcher names the mark in its arguments too,
 * because macOS hides the environment of its own programs.
 */
export function hasMark(pid: number, mark: string): boolean | null {
  if (look === "ps") {
    const flag = process.platform === "darwin" ? "-Eww" : "-eww"
    const text = ps([flag, "-o", "command=", "-p", String(pid)])
    return text === "" ? null : text.split(/\s/).includes(mark)
  }
  const bytes = read(`/proc/${pid}/environ`)
  return bytes === null ? null : `\0${bytes.toString("latin1")}\0`.includes(`\0${mark}\0`)
}

/** The command line as one text, for comparing and for showing to a person's predicate; "" when unknown. */
export function commandLine(pid: number): string {
  if (look === "ps") return ps(["-ww", "-o", "command=", "-p", String(pid)]).trim()
  return read(`/proc/${pid}/cmdline`)?.toString("utf8") ?? ""
}

/** Null when there is no such process, or it is not for us to see. Whatever else is wrong says nothing about it. */
function read(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? ""
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(code)) return null
    throw cause
  }
}

function ps(args: readonly string[]): string {
  const env = { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" }
  const { error, stdout } = spawnSync("ps", args, { env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
  if (error !== undefined) throw error
  return stdout
}

function isRow(row: ProcessRow | null): row is ProcessRow {
  return row !== null
}
