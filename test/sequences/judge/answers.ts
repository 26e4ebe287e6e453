/** I10: what the agent says that it wrote is there, and reached everybody: each piece once, and the answer whole. */
import { fullReply } from "../support/behaviours.ts"
import type { Evidence } from "../support/evidence.ts"
import { certified, type Life, livesOf, saidIn, sendingsOf } from "./facts.ts"

export function nothingLost(evidence: Evidence): readonly string[] {
  const last = new Map(livesOf(evidence).map(life => [life.turn, life]))
  return [
    ...livesOf(evidence).flatMap(life => ofRun(evidence, life)),
    ...evidence.ended.flatMap(({ turn }) => ofTurn(evidence, turn, last.get(turn))),
  ]
}

/** Every piece that is in the spool, in its order, and nothing else. */
function ofRun({ spools, whole }: Evidence, life: Life): readonly string[] {
  const spool = spools[life.run] ?? ""
  if (!certified(life, spool).intact) return [`the spool of ${life.run} is not what its agent wrote`]
  const read = Object.values(whole)
    .flat()
    .flatMap(event => (event.type === "text.delta" && event.run === life.run ? [event.text] : []))
  const { text } = saidIn(spool)
  return read.join("") === text
    ? []
    : [`${life.run} said ${show(text)}, and readers got ${show(read.join(""))}`]
}

function ofTurn(evidence: Evidence, turn: string, life: Life | undefined): readonly string[] {
  const row = evidence.ended.find(one => one.turn === turn)
  const spool = life === undefined ? "" : (evidence.spools[life.run] ?? "")
  const { text, result } = saidIn(spool)
  const full = sendingsOf(evidence, turn).map(one => fullReply(one.prompt))
  // One that nobody sent is no answer to anything, and for others to find.
  if (full.length === 0) return []
  const texts = [
    ...finalTexts(evidence, turn),
    ...evidence.told.flatMap(one => (one.turn === turn ? [one.text] : [])),
    row?.text ?? null,
  ]
  return [
    ...(full.some(reply => reply.startsWith(text)) ? [] : [`${turn} said what was not asked for`]),
    ...(result && row?.outcome !== "succeeded" ? [`${turn} was answered, and ended as ${row?.outcome}`] : []),
    ...(!result && row?.outcome === "succeeded" ? [`${turn} was not answered, and has succeeded`] : []),
    ...(result && !full.includes(text) ? [`${turn} was answered with half a reply`] : []),
    ...texts.flatMap(given =>
      (given ?? "") === text
        ? []
        : [`the reply of ${turn} is ${show(text)}, and was given as ${show(given)}`],
    ),
  ]
}

/** What each reader got as the reply; null where there was none. */
function finalTexts({ heard, whole }: Evidence, turn: string): readonly (string | null)[] {
  return [heard, whole].map(reader => {
    const finals = Object.values(reader)
      .flat()
      .flatMap(event => (event.type === "text.final" && event.turn === turn ? [event.text] : []))
    return finals.length === 0 ? null : finals.join("")
  })
}

function show(text: string | null): string {
  if (text === null) return "nothing"
  return text.length < 80 ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, 80))}... (${text.length})`
}
