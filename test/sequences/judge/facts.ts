/** The evidence put in order: lives of agents, turns of the log, what a spool says. Pure, and without an opinion. */
import { createHash } from "node:crypto"
import type { JournalEntry } from "../../../adapters/rehearsal/index.ts"
import { idOf, isSettled, machineOf, turnIdOf } from "../../../machines/words.ts"
import type { EventRecord } from "../../../store/types.ts"
import type { Prompt } from "../support/behaviours.ts"
import type { Evidence, Sent } from "../support/evidence.ts"

/** One process of the agent, by its own account. Places are those of the journal: one file, appended to by all. */
export interface Life {
  readonly run: string
  readonly turn: string
  readonly from: number
  readonly to: number
  readonly notes: readonly JournalEntry[]
}

export function livesOf({ journal }: Evidence): readonly Life[] {
  const places = Map.groupBy(journal.keys(), place => journal[place]?.nonce ?? "")
  return [...places.values()].map(own => {
    const notes = own.flatMap(place => journal[place] ?? [])
    const run = notes[0]?.run ?? ""
    return { run, turn: turnIdOf(run), from: own[0] ?? 0, to: own.at(-1) ?? 0, notes }
  })
}

/** The events of each turn of the log, in the order in which the turns were accepted. */
export function turnsOf({ log }: Evidence): ReadonlyMap<string, readonly EventRecord[]> {
  return Map.groupBy(
    log.filter(event => machineOf(event.stream) === "turn"),
    event => idOf(event.stream),
  )
}
export function runEvents({ log }: Evidence, run: string): readonly EventRecord[] {
  return log.filter(event => event.stream === `run:${run}`)
}
export const ends = (event: EventRecord): boolean => isSettled(event.to) && !isSettled(event.from)

/** Every sending that may have become this turn. */
export function sendingsOf({ sent }: Evidence, turn: string): readonly Sent[] {
  const of = sent.filter(one => one.turn === turn && typeof one.answer === "string")
  const accepted = of.filter(one => one.answer === "accepted")
  return accepted.length > 0 ? accepted : of
}
export function sessionOf(evidence: Evidence, turn: string): string {
  return evidence.sent.find(one => one.turn === turn)?.session ?? ""
}

export const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex")
export const isOf = ({ text }: Prompt, digest: string): boolean => sha256(text) === digest

/** How many bytes of a spool its agent says that it wrote, and whether they are those. */
export function certified(life: Life, spool: string): { readonly bytes: number; readonly intact: boolean } {
  const wrote = life.notes.findLast(note => note.event === "wrote")
  if (wrote?.event !== "wrote") return { bytes: 0, intact: true }
  const head = Buffer.from(spool).subarray(0, wrote.bytes)
  return { bytes: wrote.bytes, intact: head.length === wrote.bytes && sha256(head) === wrote.sha256 }
}

/** What a spool says by the agent's own protocol, read as simply as can be: the streamed pieces, up to the result. */
export function saidIn(spool: string): { readonly text: string; readonly result: boolean } {
  let text = ""
  for (const line of spool.split("\n").slice(0, -1)) {
    const record = JSON.parse(line) as Line // the rehearsal agent wrote it
    if (record.type === "result") return { text, result: true }
    const isPiece = record.timestamp_ms !== undefined && record.model_call_id === undefined
    if (record.type === "assistant" && isPiece) text += record.message?.content[0]?.text ?? ""
  }
  return { text, result: false }
}
interface Line {
  readonly type: string
  readonly timestamp_ms?: number
  readonly model_call_id?: string
  readonly message?: { readonly content: readonly { readonly text: string }[] }
}
