/**
 * Timers that machines asked for. A cache, rebuilt from the log alone: waiting is somebody else's part. A row's
 * generation is the version of the event that armed it, so one that was replaced or fired never fires again.
 */
import { z } from "zod"
import type { TimerRequest } from "../machines/kernel.ts"
import type { EventRow } from "./chain.ts"
import type { Db } from "./database.ts"
import type { TimerRow } from "./types.ts"

export const storedTimer = z.strictObject({
  stream: z.string(),
  id: z.string(),
  generation: z.int(),
  session: z.string(),
  clock: z.enum(["awake", "wall"]),
  after_ms: z.int(),
  correlation: z.string().nullable(),
  armed_position: z.int(),
  armed_at: z.int(),
  armed_awake: z.int(),
})
export type StoredTimer = z.infer<typeof storedTimer>

export const timerCause = (id: string, generation: number) => `${id}/${generation}`

export function timersTable(db: Db) {
  const insert = db.prepare(
    `INSERT OR REPLACE INTO timers
     (stream, id, generation, session, clock, after_ms, correlation, armed_position, armed_at, armed_awake)
     VALUES (:stream, :id, :generation, :session, :clock, :after_ms, :correlation,
             :armed_position, :armed_at, :armed_awake)`,
  )
  const cancel = db.prepare<[string, string]>("DELETE FROM timers WHERE stream = ? AND id = ?")
  const fire = db.prepare<[string, string]>(
    "DELETE FROM timers WHERE stream = ? AND id || '/' || generation = ?",
  )
  const clear = db.prepare<[string]>("DELETE FROM timers WHERE stream = ?")
  const find = db.prepare<[string, string, number], { correlation: string | null }>(
    "SELECT correlation FROM timers WHERE stream = ? AND id = ? AND generation = ?",
  )
  const ofStream = db.prepare<[string]>("SELECT * FROM timers WHERE stream = ? ORDER BY id")
  return {
    find: (stream: string, id: string, generation: number) => find.get(stream, id, generation),
    fired: (stream: string, cause: string) => void fire.run(stream, cause),
    apply(event: EventRow, session: string, requests: readonly TimerRequest[]) {
      const { stream, version, position, at, awake, correlation } = event
      for (const request of requests) {
        if (request.do === "cancel") cancel.run(stream, request.id)
        else
          insert.run({
            stream,
            id: request.id,
            generation: version,
            session,
            clock: request.clock,
            after_ms: request.afterMs,
            correlation,
            armed_position: position,
            armed_at: at,
            armed_awake: awake,
          })
      }
    },
    ofStream: (stream: string) => ofStream.all(stream).map(row => storedTimer.parse(row)),
    replace(stream: string, rows: readonly StoredTimer[]) {
      clear.run(stream)
      for (const row of rows) insert.run(row)
    },
  }
}

/** All armed timers, the earliest armed first; rows that do not parse are left out (verify names them). */
export function readTimers(db: Db): TimerRow[] {
  return db
    .prepare("SELECT * FROM timers ORDER BY armed_position, id")
    .all()
    .flatMap(raw => {
      const parsed = storedTimer.safeParse(raw)
      if (!parsed.success) return []
      const { stream, session, id, generation, clock, after_ms, armed_position, armed_at, armed_awake } =
        parsed.data
      return {
        stream,
        session,
        id,
        generation,
        clock,
        afterMs: after_ms,
        armedPosition: armed_position,
        armedAt: armed_at,
        armedAwake: armed_awake,
      }
    })
}

/** Milliseconds until it is due; 0 or less: it is. The awake clock of another boot makes this a guess. */
export function dueIn(timer: TimerRow, now: { readonly wall: number; readonly awake: number }): number {
  if (timer.clock === "wall") return timer.armedAt + timer.afterMs - now.wall
  // An awake clock that went back belongs to another boot: whatever was waited for is asked about now.
  return now.awake < timer.armedAwake ? 0 : timer.armedAwake + timer.afterMs - now.awake
}
