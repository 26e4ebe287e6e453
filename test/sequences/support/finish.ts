/** Brings a sequence to its end, whatever state it was left in, and gathers what is known of it. */
import { until } from "../../recovery/support/until.ts"
import type { Around } from "./drive.ts"
import { eraseWhole, isHeard } from "./erasing.ts"
import type { Evidence } from "./evidence.ts"
import { runOf } from "./processes.ts"

export async function finish(around: Around): Promise<Evidence> {
  const { hosts, place } = around
  // A host that is still to die at a point of its log may do so at any of these steps.
  await until("the last host was closed in order", async () => {
    await hosts.open()
    if (!(await settle(around))) return false
    return !(await hosts.close(false)).died
  })
  const alive = place.alive().map(pid => ({ pid, run: runOf(pid) ?? "" }))
  await hosts.caughtUp()
  return gather(around, alive)
}

/** One look: what waits for somebody is told to go on. True when all turns are over, and everybody heard it. */
async function settle(around: Around): Promise<boolean> {
  const { place, hosts, drive } = around
  for (const { session, currentTurn } of place.sessions()) {
    const isOver = place.turns(session).every(row => row.outcome !== null)
    if (isOver) continue
    if (currentTurn === null) await goOn(around, session)
    else if (currentTurn !== null && drive.isEndless(currentTurn))
      await hosts.ask({ do: "interrupt", session, turn: currentTurn })
    return false
  }
  if (!hosts.isOpen || !place.sessions().every(({ session }) => isHeard(around, session))) return false
  for (const [session, { erased }] of drive.kept) if (!erased) await eraseWhole(around, session)
  return hosts.isOpen
}

/** Nothing else can bring what waits to its end, so a refusal is the end of the sequence (I3). */
async function goOn({ hosts }: Around, session: string): Promise<void> {
  const { code } = await hosts.ask({ do: "resume", session })
  if (code !== null) throw new Error(`I3: turns of ${session} will never end, it cannot be resumed: ${code}`)
}

async function gather({ place, hosts, drive }: Around, alive: Evidence["alive"]): Promise<Evidence> {
  const whole: Record<string, Evidence["whole"][string]> = {}
  const spools: Record<string, string> = {}
  const ended: Evidence["ended"][number][] = []
  const remains: Evidence["remains"][number][] = []
  for (const { session } of place.sessions()) {
    const kept = drive.kept.get(session)
    const later = (await place.read(session)).filter(event => event.cursor.position > (kept?.position ?? 0))
    whole[session] = [...(kept?.whole ?? []), ...later]
    Object.assign(spools, place.spools(session), kept?.spools)
    const before = new Map(kept?.ended.map(turn => [turn.turn, turn]))
    ended.push(...place.ended(session).map(turn => before.get(turn.turn) ?? turn))
    if (kept !== undefined)
      remains.push(...place.holding(drive.secrets(session)).map(file => ({ session, file })))
  }
  const { heard, told, broken, defects, lingering } = hosts
  const journal = place.journal()
  const log = place.log.exists() ? place.log.events() : []
  const problems = place.log.exists() ? place.log.log(reader => reader.verify().problems) : []
  return {
    sent: drive.sent,
    journal,
    log,
    problems: problems.map(({ position, code, message }) => `${position} ${code}: ${message}`),
    ended,
    heard,
    whole,
    spools,
    told,
    broken,
    defects,
    lingering,
    alive,
    erased: [...drive.kept.keys()],
    remains,
  }
}
