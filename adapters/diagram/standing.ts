/**
 * Where a machine stands in a session, judged by the session's events alone: so it can be said of any position of the
 * log. Of several streams it takes the one that the session was or had last been at work on.
 */
import { machineOf } from "../../machines/index.ts"
import type { EventRecord, Undecodable } from "../../store/index.ts"

export interface Standing {
  readonly stream: string
  /** The state as the log has it: a name, or the JSON of a nested one. */
  readonly state: string
  /** The event that led there, and the state before it. */
  readonly since: number
  readonly event: string
  readonly from: string
}

/** By machine; a stream with an event that cannot be read stands nowhere. */
export type Standings = ReadonlyMap<string, Standing | Undecodable>

/** `events`: of one session, in order, from its first one on. */
export function standingsAfter(events: Iterable<EventRecord | Undecodable>): Standings {
  const streams = new Map<string, Standing | Undecodable>()
  const chosen = new Map<string, string>()
  for (const event of events) {
    const machine = machineOf(event.stream)
    if (!chosen.has(machine) || begins(event)) chosen.set(machine, event.stream)
    const before = streams.get(event.stream)
    if (before !== undefined && "undecodable" in before) continue
    if (event.undecodable) streams.set(event.stream, event)
    else if (before === undefined || event.from !== event.to) {
      const { stream, to: state, position: since, type, from } = event
      streams.set(event.stream, { stream, state, since, event: type, from })
    }
  }
  return new Map(
    [...chosen].flatMap(([machine, stream]) => {
      const standing = streams.get(stream)
      return standing === undefined ? [] : [[machine, standing] as const]
    }),
  )
}

/** A turn may have waited for long before its session takes it up; every other stream begins with its first event. */
function begins(event: EventRecord | Undecodable): boolean {
  if (event.undecodable) return false
  return event.machine === "turn" ? event.type === "start" : event.version === 1
}
