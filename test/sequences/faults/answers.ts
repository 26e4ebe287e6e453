/** Faults about processes, answers and their order: what might be left, lost, or come too early. */
import { endedAs, type Faults, isSecondPiece, notesOf, read, runOf, startedAfter } from "./plant.ts"

export const faultsOfAnswers: Faults = {
  "a process outlived its turn": {
    breaks: "I9",
    plant: (e, { answered }) => ({ ...e, lingering: [{ turn: answered, pids: [4711] }] }),
  },
  "a process outlived the host": {
    breaks: "I9",
    plant: e => ({ ...e, alive: [{ pid: 4711, run: "t1.1" }] }),
  },

  "a byte of the spool is lost": {
    breaks: "I10",
    plant: (e, { answered }) => ({
      ...e,
      spools: { ...e.spools, [runOf(answered)]: (e.spools[runOf(answered)] ?? "").slice(0, -1) },
    }),
  },
  "a piece of the reply is lost to readers": {
    breaks: "I10",
    plant: (e, { answered }) =>
      read(e, events => {
        const is = isSecondPiece(answered, events)
        return events.filter(event => !is(event))
      }),
  },
  "a piece of the reply comes twice to readers": {
    breaks: "I10",
    plant: (e, { answered }) =>
      read(e, events => {
        const is = isSecondPiece(answered, events)
        return events.flatMap(event => (is(event) ? [event, { ...event, at: "again" }] : event))
      }),
  },
  "what was answered has failed": {
    breaks: "I10",
    plant: (e, { answered }) => endedAs(e, answered, "failed"),
  },
  "what was not answered has succeeded": {
    breaks: "I10",
    plant: (e, { interrupted }) => endedAs(e, interrupted, "succeeded"),
  },
  "the reply is lost": {
    breaks: "I10",
    plant: (e, { answered }) => ({
      ...e,
      ended: e.ended.map(one => (one.turn === answered ? { ...one, text: null } : one)),
    }),
  },
  "what an interrupted turn had said is lost": {
    breaks: "I10",
    plant: (e, { interrupted }) => ({
      ...e,
      ended: e.ended.map(one => (one.turn === interrupted ? { ...one, text: null } : one)),
    }),
  },

  "two agents of a session lived at once": {
    breaks: "I12",
    plant: (e, { answered, next }) => {
      const [started] = notesOf(e, runOf(next))
      const rest = e.journal.filter(note => note !== started)
      const place = rest.findLastIndex(note => note.run === runOf(answered))
      return started === undefined ? e : { ...e, journal: rest.toSpliced(place, 0, started) }
    },
  },
  "two turns changed places": {
    breaks: "I12",
    plant: (e, { answered, next }) => startedAfter(e, notesOf(e, runOf(answered)), runOf(next)),
  },
  "two prompts were queued in another order": {
    breaks: "I12",
    plant: e => ({ ...e, sent: [...e.sent].reverse() }),
  },

  "an error has no code": {
    breaks: "errors",
    plant: e => ({ ...e, defects: ['"interrupt" was answered with undefined is not a function'] }),
  },
}
