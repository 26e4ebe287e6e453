/** I3: exactly one end for every turn that was accepted, and the same for everybody. I5: one id, one request. */
import type { Evidence } from "../support/evidence.ts"
import { ends, sendingsOf, turnsOf } from "./facts.ts"

export function oneEnd(evidence: Evidence): readonly string[] {
  const turns = turnsOf(evidence)
  const accepted = evidence.sent.filter(one => one.answer === "accepted")
  return [
    ...accepted.flatMap(({ turn }) =>
      turn !== null && turns.has(turn) ? [] : [`${turn} was accepted, and the log does not know it`],
    ),
    ...[...turns].flatMap(([turn, events]) => {
      const outcomes = events.filter(ends).map(event => event.to)
      return [
        ...(sendingsOf(evidence, turn).length === 0 ? [`${turn} is in the log, and nobody sent it`] : []),
        ...(outcomes.length === 1 ? [] : [`${turn} has the ends [${outcomes.join(", ")}] in the log`]),
        ...(outcomes.length === 1 ? asEverybodySays(evidence, turn, outcomes[0] ?? "") : []),
      ]
    }),
  ]
}

function asEverybodySays(evidence: Evidence, turn: string, outcome: string): readonly string[] {
  const row = evidence.ended.find(one => one.turn === turn)
  const readers = Object.entries({ heard: evidence.heard, whole: evidence.whole })
  return [
    ...(row?.outcome === outcome ? [] : [`${turn} ended as ${outcome}, and its row says ${row?.outcome}`]),
    ...readers.flatMap(([reader, sessions]) => {
      const settled = Object.values(sessions)
        .flat()
        .flatMap(event => (event.type === "turn.settled" && event.turn === turn ? [event.outcome] : []))
      const right = settled.length === 1 && settled[0] === outcome
      return right ? [] : [`${turn} ended as ${outcome}, and ${reader} has [${settled.join(", ")}]`]
    }),
    ...evidence.told
      .filter(one => one.turn === turn && one.outcome !== outcome)
      .map(one => `${turn} ended as ${outcome}, and somebody was told ${one.outcome}`),
  ]
}

export function oneRequest({ sent }: Evidence): readonly string[] {
  const named = Map.groupBy(
    sent.filter(one => one.id !== null),
    one => `${one.session} ${one.id}`,
  )
  return [...named.values()].flatMap(sendings => {
    const first = sendings.findIndex(one => one.answer === "accepted")
    if (first === -1) return []
    const { prompt, turn } = sendings[first] ?? { prompt: null, turn: null }
    return sendings.slice(first + 1).flatMap(later => {
      const isSame = later.prompt.text === prompt?.text
      if (later.answer === "died") return []
      if (later.answer === "accepted") {
        if (!isSame) return [`${turn} was accepted a second time, with another prompt`]
        return later.turn === turn ? [] : [`${turn} was accepted a second time, as ${later.turn}`]
      }
      const expected = isSame ? ["SESSION_ERASED"] : ["COMMAND_CONFLICT", "SESSION_ERASED"]
      const { refused } = later.answer
      return expected.includes(refused)
        ? []
        : [`the request of ${turn}, repeated, was refused with ${refused}`]
    })
  })
}
