/** Faults about turns, requests, listeners and texts: what the log and its readers might get wrong. */
import { type Faults, heard, isEndOf, logged, read, sent } from "./plant.ts"

export const faultsOfTurns: Faults = {
  "a row was changed": { breaks: "I1", plant: e => ({ ...e, problems: ["7 HASH: it is another"] }) },

  "a turn ended twice": {
    breaks: "I3",
    plant: (e, { answered }) => logged(e, event => (isEndOf(answered)(event) ? [event, event] : event)),
  },
  "a turn never ended": {
    breaks: "I3",
    plant: (e, { answered }) => logged(e, event => (isEndOf(answered)(event) ? [] : event)),
  },
  "an accepted turn is not in the log": {
    breaks: "I3",
    plant: (e, { interrupted }) =>
      sent(e, one => (one.turn === interrupted ? [one, { ...one, turn: "tlost", id: null }] : one)),
  },
  "a refused prompt became a turn": {
    breaks: "I3",
    plant: (e, { cancelled }) =>
      sent(e, one => (one.turn === cancelled ? { ...one, answer: { refused: "QUEUE_FULL" } } : one)),
  },
  "readers get the end twice": {
    breaks: "I3",
    plant: (e, { answered }) =>
      read(e, events =>
        events.flatMap(event =>
          event.type === "turn.settled" && event.turn === answered
            ? [event, { ...event, at: "again" }]
            : event,
        ),
      ),
  },
  "somebody was told another end": {
    breaks: "I3",
    plant: (e, { answered }) => ({
      ...e,
      told: e.told.map(one => (one.turn === answered ? { ...one, outcome: "outcomeUnknown" } : one)),
    }),
  },

  "a text is left after the erasure": {
    breaks: "I4",
    plant: e => ({ ...e, remains: [{ session: "s1", file: "log.sqlite-wal" }] }),
  },

  "another prompt was accepted under the same id": {
    breaks: "I5",
    plant: e =>
      sent(e, one =>
        typeof one.answer !== "string" && one.answer.refused === "COMMAND_CONFLICT"
          ? { ...one, answer: "accepted" }
          : one,
      ),
  },
  "the same request became another turn": {
    breaks: "I5",
    plant: (e, { answered, next }) =>
      sent(e, (one, index) =>
        one.turn === answered && index > 0 && one.answer === "accepted" ? { ...one, turn: next } : one,
      ),
  },

  "a listener missed an event": { breaks: "I7", plant: e => heard(e, events => events.toSpliced(3, 1)) },
  "a listener got an event twice": {
    breaks: "I7",
    plant: e => heard(e, events => events.toSpliced(3, 0, ...events.slice(3, 4))),
  },
  "a subscription broke off": {
    breaks: "I7",
    plant: e => ({ ...e, broken: ["a listener of s0: TypeError"] }),
  },
}
