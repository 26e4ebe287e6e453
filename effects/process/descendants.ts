/**
 * Which processes belong to a run: by its mark, by the launcher's session and group, and by descent.
 * It only looks. Who may be signalled is decided from `evidence`, and verified again in `signals.ts`.
 */
import type { ProcessIdentity } from "../../machines/words.ts"
import { here, judgeIdentity } from "./identity.ts"
import { runMark } from "./signals.ts"
import type { ProcessRow } from "./stat.ts"
import { commandLine, hasMark, look, processTable } from "./table.ts"

export interface Descendant {
  readonly identity: ProcessIdentity
  /**
   * `marked`: the run's mark is in its environment. `session`: it is in the launcher's own session, which
   * nobody can join from outside. `descent`: only a parent says so (a tool that left the session without our
   * mark): it is named, never signalled.
   */
  readonly evidence: "marked" | "session" | "descent"
  /** The launcher's own watchdog and its helpers; they end with the launcher. */
  readonly crew: boolean
}

/** What is known already and makes the answer surer. */
export interface Known {
  /** From `agent`. Without it, an agent that calls itself `sleep` would pass for the launcher's helper. */
  readonly agent?: ProcessIdentity | null
  /** Members of the launcher's session, found earlier: a live one proves the session still ours. */
  readonly members?: readonly ProcessIdentity[]
}

/** All live processes of a run except its launcher. */
export function descendantsOf(
  run: string,
  launcher: ProcessIdentity | null,
  { agent = null, members: earlier = [] }: Known = {},
): readonly Descendant[] {
  const rows = processTable().filter(
    row => !row.zombie && row.pid !== process.pid && row.pid > 1 && maybeLater(row, launcher),
  )
  const mark = runMark(run)
  const marked = new Set(rows.filter(row => hasMark(row.pid, mark) === true).map(row => row.pid))
  const lead = leader(launcher)
  // The session's number stays taken as long as one member lives, so one sure member proves them all ours.
  const isSure = (row: ProcessRow) =>
    marked.has(row.pid) || earlier.some(each => each.pid === row.pid && each.start === row.start)
  const ours = lead !== null && (lead.alive || rows.some(row => row.session === lead.pid && isSure(row)))
  const members = new Set(
    ours ? rows.filter(row => [row.session, row.group].includes(lead.pid)).map(row => row.pid) : [],
  )
  const children = childrenByParent(rows)
  const helpers = lead?.alive === true ? helpersOf(lead.pid, children) : []
  const crew = closure(
    helpers.filter(pid => pid !== agent?.pid),
    children,
  )
  const family = closure([...marked, ...members, ...(lead?.alive === true ? [lead.pid] : [])], children)
  return rows
    .filter(row => row.pid !== lead?.pid && family.has(row.pid))
    .map(row => ({
      identity: { pid: row.pid, start: row.start, ...here() },
      evidence: marked.has(row.pid) ? "marked" : members.has(row.pid) ? "session" : "descent",
      crew: crew.has(row.pid),
    }))
}

/** Spares us the environments of all who are older than the launcher. Dates do not compare as text, ticks do. */
function maybeLater(row: ProcessRow, launcher: ProcessIdentity | null): boolean {
  if (launcher === null || look === "ps" || launcher.boot !== here().boot) return true
  return !(Number(row.start) < Number(launcher.start))
}

function leader(launcher: ProcessIdentity | null): { readonly pid: number; readonly alive: boolean } | null {
  if (launcher === null) return null
  const judgement = judgeIdentity(launcher)
  const sameBoot = launcher.boot === here().boot
  return judgement === "elsewhere" || !sameBoot ? null : { pid: launcher.pid, alive: judgement === "alive" }
}

/** Programs that the launcher itself runs, by their bare names; an agent is started by its absolute path. */
const TOOLS = new Set(["mv", "rm", "ln", "sleep"])

/** The watchdog is a fork of the launcher, so it shows the same command line; the agent has its own. */
function helpersOf(launcher: number, children: ReadonlyMap<number, readonly number[]>): readonly number[] {
  const command = commandLine(launcher)
  return (children.get(launcher) ?? []).filter(pid => {
    const own = commandLine(pid)
    return own !== "" && (own === command || TOOLS.has(own.split(/[\0 ]/, 1)[0] ?? ""))
  })
}

function childrenByParent(rows: readonly ProcessRow[]): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>()
  for (const row of rows) {
    const siblings = children.get(row.parent)
    if (siblings === undefined) children.set(row.parent, [row.pid])
    else siblings.push(row.pid)
  }
  return children
}

function closure(
  roots: readonly number[],
  children: ReadonlyMap<number, readonly number[]>,
): ReadonlySet<number> {
  const found = new Set<number>(roots)
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child)
  return found
}
