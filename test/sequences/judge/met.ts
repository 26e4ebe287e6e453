/** What a sequence met: troubles that enough of them must have met, or else they proved nothing about it. */
import { machineOf } from "../../../machines/words.ts"
import type { Evidence } from "../support/evidence.ts"
import { ends, livesOf } from "./facts.ts"

const troubles = {
  "a host died over a prompt": ({ sent }: Evidence) => sent.some(one => one.answer === "died"),
  "a run was adopted": ({ whole }: Evidence) =>
    Object.values(whole).some(events => events.some(event => event.type === "run.adopted")),
  "a turn was interrupted while it ran": ({ log }: Evidence) =>
    log.some(event => ends(event) && event.to === "interrupted" && event.from !== "queued"),
  "a turn was interrupted while it waited": ({ log }: Evidence) =>
    log.some(event => ends(event) && event.to === "interrupted" && event.from === "queued"),
  "a run was withdrawn": ({ log }: Evidence) =>
    log.some(event => machineOf(event.stream) === "run" && event.type === "tombstoned"),
  "an outcome is not known": ({ ended }: Evidence) => ended.some(one => one.outcome === "outcomeUnknown"),
  "a turn was run again": (evidence: Evidence) => livesOf(evidence).some(life => life.run.endsWith(".2")),
  "an agent ended without a word": (evidence: Evidence) =>
    livesOf(evidence).some(life => life.notes.at(-1)?.event !== "exit"),
  "a request was repeated": ({ sent }: Evidence) =>
    sent.some((one, index) => one.id !== null && sent.findIndex(first => first.id === one.id) < index),
  "a request came with another prompt": ({ sent }: Evidence) =>
    sent.some(one => typeof one.answer !== "string" && one.answer.refused === "COMMAND_CONFLICT"),
  "a session was erased": ({ erased }: Evidence) => erased.length > 0,
} as const
export type Trouble = keyof typeof troubles
export const everyTrouble = Object.keys(troubles) as readonly Trouble[] // its keys, which the compiler forgets

export const met = (evidence: Evidence): readonly Trouble[] =>
  everyTrouble.filter(name => troubles[name](evidence))
