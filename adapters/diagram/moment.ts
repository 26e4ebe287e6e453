/** A session at one position of the log: what is read for the verb that marks where it stood. It only reads. */
import type { EventRecord, Reader, Undecodable } from "../../store/index.ts"
import { maxPage } from "../../store/read.ts"
import { CliError } from "../cli/problem.ts"
import { type Standings, standingsAfter } from "./standing.ts"

export interface Moment {
  readonly session: string
  /** The last position that counts. */
  readonly at: number
  /** No position was asked for: it is the end of the log. */
  readonly now: boolean
  readonly standings: Standings
}

/** `asked`: undefined for the end of the log. Throws `USAGE_POSITION` for what lies behind it. */
export function momentOf(store: Reader, session: string, asked: number | undefined): Moment {
  const last = store.lastPosition()
  const at = asked ?? last
  if (at > last) throw new CliError("USAGE_POSITION", `it ends at ${last}`)
  return { session, at, now: asked === undefined, standings: standingsAfter(eventsTo(store, session, at)) }
}

function* eventsTo(store: Reader, session: string, at: number): Generator<EventRecord | Undecodable> {
  for (let after = 0; after < at; ) {
    const page = store.readEvents({ after, limit: maxPage, session })
    for (const event of page) if (event.position <= at) yield event
    const last = page.at(-1)
    if (last === undefined || page.length < maxPage) return
    after = last.position
  }
}
