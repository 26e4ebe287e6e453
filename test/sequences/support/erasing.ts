/** Erasing a session: what it was is kept for the judge first, since nobody can read it afterwards. */
import { until } from "../../recovery/support/until.ts"
import type { Around } from "./drive.ts"
import type { Ended, Evidence } from "./evidence.ts"

/** What a session was before it was erased; nothing of it ran. */
export interface Kept {
  /** The last event of the log by then. */
  readonly position: number
  readonly whole: Evidence["whole"][string]
  readonly ended: readonly Ended[]
  readonly spools: Evidence["spools"]
  /** False: its host died over it. */
  erased: boolean
}

/** One whose turn never ends is asked for all the same, and has to be refused. */
export async function erase(around: Around, session: string): Promise<void> {
  const { place, hosts, drive } = around
  if (place.session(session) === null) return
  await hosts.open()
  await hosts.caughtUp()
  await drive.rest(session)
  if (!hosts.isOpen) return
  if (place.session(session)?.currentTurn !== null) {
    const { died, code } = await hosts.ask({ do: "erase", session })
    if (!died && code !== "SESSION_BUSY") throw new Error(`a busy session was erased: ${code}`)
    return
  }
  await until("its listener got everything", () => !hosts.isOpen || isHeard(around, session))
  if (!hosts.isOpen) return
  if (!drive.kept.has(session)) drive.kept.set(session, await keep(around, session))
  await eraseWhole(around, session)
}

/** Again until nothing of it is left in the log's file; a host that died leaves it to the next one. */
export async function eraseWhole({ hosts, drive }: Around, session: string): Promise<void> {
  const kept = drive.kept.get(session)
  if (kept === undefined) return
  await until(`${session} is erased`, async () => {
    const { died, code } = await hosts.ask({ do: "erase", session })
    if (!died && code !== null && code !== "INCOMPLETE") throw new Error(`it could not be erased: ${code}`)
    kept.erased = !died && code === null
    return died || kept.erased
  })
}

/** The session's listener got the end of every turn that has one. */
export function isHeard({ place, hosts }: Around, session: string): boolean {
  const settled = hosts.heard[session]?.filter(event => event.type === "turn.settled")
  const ends = new Set(settled?.map(event => event.turn))
  return place.turns(session).every(({ turn, outcome }) => outcome === null || ends.has(turn))
}

async function keep({ place }: Around, session: string): Promise<Kept> {
  const position = place.log.log(reader => reader.lastPosition())
  const whole = await place.read(session)
  const ended = place.ended(session).filter(turn => turn.outcome !== null)
  return { position, whole, ended, spools: place.spools(session), erased: false }
}
