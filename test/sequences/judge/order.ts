/** I12: the agents of one session live one after the other, in the order in which their prompts were sent. */
import type { Evidence } from "../support/evidence.ts"
import { livesOf, sessionOf, turnsOf } from "./facts.ts"

export function oneAtATime(evidence: Evidence): readonly string[] {
  const lives = livesOf(evidence).toSorted((a, b) => a.from - b.from)
  const sessions = Map.groupBy(lives, life => sessionOf(evidence, life.turn))
  const accepted = [...turnsOf(evidence).keys()]
  return [...sessions].flatMap(([session, own]) => {
    const overlapping = own.flatMap((life, index) =>
      own
        .slice(0, index)
        .filter(before => before.to > life.from)
        .map(before => `${before.run} was alive when ${life.run} began`),
    )
    const started = [...new Set(own.map(life => life.turn))]
    const asAccepted = accepted.filter(turn => started.includes(turn))
    return [...overlapping, ...differ(session, "started", started, asAccepted), ...asSent(evidence, session)]
  })
}

/** The order of acceptance is that of the sendings; who died over one may have to send it again, later. */
function asSent(evidence: Evidence, session: string): readonly string[] {
  const own = evidence.sent.filter(one => one.session === session)
  const unsure = new Set(own.filter(one => one.answer === "died").map(one => one.turn))
  const sure = own
    .filter(one => one.answer === "accepted" && !unsure.has(one.turn))
    .map(one => one.turn ?? "")
  const accepted = [...turnsOf(evidence).keys()].filter(turn => sure.includes(turn))
  const sent = [...new Set(sure)].filter(turn => accepted.includes(turn))
  return differ(session, "accepted", accepted, sent)
}

function differ(
  session: string,
  what: string,
  is: readonly string[],
  should: readonly string[],
): readonly string[] {
  if (is.join() === should.join()) return []
  return [`turns of ${session} were ${what} as ${is.join(", ")} instead of ${should.join(", ")}`]
}
