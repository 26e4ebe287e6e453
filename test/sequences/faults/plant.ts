/** How the evidence of a sequence that broke nothing is changed, so that one promise is broken. Pure. */
import type { JournalEntry } from "../../../adapters/rehearsal/index.ts"
import type { EventRecord } from "../../../store/types.ts"
import { ends } from "../judge/facts.ts"
import type { Promised } from "../judge/judge.ts"
import type { Evidence, Sent } from "../support/evidence.ts"

/** The turns of the sequence that the faults are about. */
export interface Cast {
  /** Answered; its host was killed in the middle of it. */
  readonly answered: string
  /** Answered, after it. */
  readonly next: string
  /** Interrupted while it ran. */
  readonly interrupted: string
  /** Interrupted while it waited behind that one. */
  readonly cancelled: string
  /** Run twice. */
  readonly retried: string
}
export interface Fault {
  readonly breaks: Promised
  readonly plant: (evidence: Evidence, cast: Cast) => Evidence
}
export type Faults = Readonly<Record<string, Fault>>

export const runOf = (turn: string) => `${turn}.1`
type Seen = Evidence["whole"][string][number]

/** The same for everybody who reads. */
export function read(evidence: Evidence, change: (events: readonly Seen[]) => readonly Seen[]): Evidence {
  const changed = (sessions: Evidence["whole"]) =>
    Object.fromEntries(Object.entries(sessions).map(([session, events]) => [session, change(events)]))
  return { ...evidence, heard: changed(evidence.heard), whole: changed(evidence.whole) }
}
export function heard(evidence: Evidence, change: (events: readonly Seen[]) => readonly Seen[]): Evidence {
  return { ...read(evidence, change), whole: evidence.whole }
}
export function logged(
  evidence: Evidence,
  change: (event: EventRecord) => EventRecord | readonly EventRecord[],
): Evidence {
  return { ...evidence, log: evidence.log.flatMap(change) }
}
export function noted(
  evidence: Evidence,
  change: (note: JournalEntry) => JournalEntry | readonly JournalEntry[],
): Evidence {
  return { ...evidence, journal: evidence.journal.flatMap(change) }
}
export function sent(
  evidence: Evidence,
  change: (one: Sent, index: number) => Sent | readonly Sent[],
): Evidence {
  return { ...evidence, sent: evidence.sent.flatMap(change) }
}
export const isEndOf = (turn: string) => (event: EventRecord) =>
  event.stream === `turn:${turn}` && ends(event)
export const isSecondPiece = (turn: string, events: readonly Seen[]) => {
  const pieces = events.filter(event => event.type === "text.delta" && event.turn === turn)
  return (event: Seen) => event === pieces[1]
}
/** As if everybody agreed that it ended so. */
export function endedAs(evidence: Evidence, turn: string, outcome: "failed" | "succeeded"): Evidence {
  const all = read(evidence, events =>
    events.map(event =>
      event.type === "turn.settled" && event.turn === turn ? { ...event, outcome } : event,
    ),
  )
  const log = all.log.map(event => (isEndOf(turn)(event) ? { ...event, to: outcome } : event))
  const ended = all.ended.map(one => (one.turn === turn ? { ...one, outcome } : one))
  const told = all.told.map(one => (one.turn === turn ? { ...one, outcome } : one))
  return { ...all, log, ended, told }
}
/** The notes of one run, put behind those of another. */
export function startedAfter(evidence: Evidence, moved: readonly JournalEntry[], run: string): Evidence {
  const others = evidence.journal.filter(note => !moved.includes(note))
  const place = others.findLastIndex(note => note.run === run) + 1
  return { ...evidence, journal: others.toSpliced(place, 0, ...moved) }
}
export const notesOf = ({ journal }: Evidence, run: string) => journal.filter(note => note.run === run)
export const anotherLife = (notes: readonly JournalEntry[], run: string) =>
  notes.map(note => ({ ...note, run, nonce: "another" }))

/** Which turn plays which part. */
export function castOf(evidence: Evidence): Cast {
  const turns = [...new Set(evidence.sent.flatMap(one => one.turn ?? []))]
  const [answered = "", next = "", interrupted = "", cancelled = "", retried = ""] = turns
  return { answered, next, interrupted, cancelled, retried }
}
