/**
 * Reading what the system says about one process: pure parsers, no file and no process touched here.
 * Nothing in this file may guess: text that is not as documented gives null.
 */

/** What is known of one process at one moment. */
export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** The session's id; where `ps` cannot tell it, the group's. */
  readonly session: number
  /** As in `ProcessIdentity.start`. */
  readonly start: string
  /** A zombie: it has ended, only its parent has not asked yet. `kill(pid, 0)` would call it alive. */
  readonly zombie: boolean
}

/**
 * `/proc/<pid>/stat` (proc(5)). The name is in parentheses and may itself hold spaces, newlines and `)`, so the
 * fields are counted from the last `)`: state is the 3rd, start time the 22nd.
 */
export function parseProcStat(text: string): ProcessRow | null {
  const open = text.indexOf(" (")
  const close = text.lastIndexOf(") ")
  if (open < 1 || close < open) return null
  const pid = integer(text.slice(0, open))
  const fields = text
    .slice(close + 2)
    .trimEnd()
    .split(" ")
  const [state = "", parent, group, session] = fields
  const start = fields[19]
  if (pid === null || start === undefined || !/^\d+$/.test(start)) return null
  return {
    pid,
    parent: integer(parent) ?? 0,
    group: integer(group) ?? 0,
    session: integer(session) ?? 0,
    start,
    // A leader that left its threads behind also shows Z; the process is still running then.
    zombie: /^[ZXx]$/.test(state) && (integer(fields[17]) ?? 1) <= 1,
  }
}

/** One row of `ps -o pid= -o ppid= -o pgid= -o stat= -o lstart=`, with `LC_ALL=C TZ=UTC`. */
export function parsePsRow(line: string): ProcessRow | null {
  const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+([A-Za-z]\S*)\s+(\S.*?)\s*$/.exec(line)
  if (found === null) return null
  const [, pid, parent, group, state, started] = found
  const start = parseLstart(started ?? "")
  if (start === null) return null
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(group),
    start,
    zombie: (state ?? "").startsWith("Z"),
  }
}

/** `lstart` in the C locale, with its runs of spaces made single: the same text that the launcher writes. */
export function parseLstart(text: string): string | null {
  const start = text.trim().replace(/\s+/g, " ")
  return /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d{1,2} \d\d:\d\d:\d\d \d{4}$/.test(start) ? start : null
}

function integer(text: string | undefined): number | null {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : null
}
