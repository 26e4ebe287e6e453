/** How the log stands: its end, its hosts, what was left behind, what cannot be used. Quick on a log of any size. */
import { genesis, hashRow, type RawRow } from "../../../store/chain.ts"
import { maxPage } from "../../../store/read.ts"
import { liveHosts } from "../hosts.ts"
import type { Reading } from "../reading.ts"
import { inWords, standingOf } from "../standing.ts"
import { broken, type Finding, fine, warning } from "./finding.ts"

/** More than a person would read; `sessions` has them all. */
const mostTold = 20

export function logFindings(reading: Reading): readonly Finding[] {
  return [end(reading), hosts(reading), ...sessions(reading), ...quarantined(reading)]
}

/** The newest events only; whether all are what was written is `verify`'s question. */
function end({ store }: Reading): Finding {
  const last = store.lastPosition()
  const rows = store.rawEvents({ after: Math.max(0, last - maxPage), limit: maxPage })
  const wrong = rows.find((row, index) => !follows(row, rows[index - 1]))
  if (wrong !== undefined)
    return broken(
      "LOG_END",
      `Position ${Number(wrong.position)} is not what was written. Run holdfast verify.`,
    )
  return fine(
    "LOG_END",
    `${last} events; the newest ${rows.length} are chained. holdfast verify checks them all.`,
  )
}

function follows(row: RawRow, before: RawRow | undefined): boolean {
  const prev = before?.hash ?? (row.position === 1 ? genesis : row.prev)
  return row.prev === prev && row.hash === hashRow(row)
}

function hosts({ folder }: Reading): Finding {
  const live = liveHosts(folder)
  return fine("HOSTS", live.length === 0 ? "No host is at work." : `At work: ${live.join(", ")}.`)
}

function sessions(reading: Reading): readonly Finding[] {
  const found = reading.store.sessions().flatMap(row => {
    if (row.undecodable)
      return broken("SESSION_UNREADABLE", `${row.stream} cannot be read (${row.code}). Run holdfast verify.`)
    const standing = standingOf(reading, row)
    if (!standing.left) return []
    return warning(
      "WORK_LEFT",
      `${row.session} (${row.agent}) ${inWords(row, standing)}, e.g. holdfast send or interrupt.`,
    )
  })
  if (found.length === 0) return [fine("WORK", "Nothing was left unsettled.")]
  const more = found.length - mostTold
  const rest = more > 0 ? [warning("WORK_LEFT", `And ${more} more; holdfast sessions has them all.`)] : []
  return [...found.slice(0, mostTold), ...rest]
}

function quarantined({ store }: Reading): readonly Finding[] {
  return store
    .quarantined()
    .map(({ stream, position, reason }) =>
      broken(
        "QUARANTINED",
        `${stream} cannot be used from position ${position} on (${reason}); everything else works. Run holdfast verify.`,
      ),
    )
}
