/** Faults about deliveries: what might reach an agent that must not. */
import { sha256 } from "../judge/facts.ts"
import { anotherLife, type Faults, logged, noted, notesOf, runOf, startedAfter } from "./plant.ts"

export const faultsOfRuns: Faults = {
  "an agent got its prompt twice": {
    breaks: "I8",
    plant: (e, { answered }) =>
      noted(e, note => (note.run === runOf(answered) && note.event === "prompt" ? [note, note] : note)),
  },
  "a run was started twice": {
    breaks: "I8",
    plant: (e, { answered }) => {
      const again = anotherLife(notesOf(e, runOf(answered)).slice(0, 2), runOf(answered))
      return startedAfter(e, again, runOf(answered))
    },
  },
  "a further run was made of what had begun to answer": {
    breaks: "I8",
    plant: (e, { retried }) =>
      logged(e, event =>
        event.stream === `turn:${retried}` && event.type === "runClosed"
          ? { ...event, data: { ...event.data, emitted: true } }
          : event,
      ),
  },
  "what was cancelled reached an agent": {
    breaks: "I8",
    plant: (e, { interrupted, cancelled }) => {
      const life = anotherLife(notesOf(e, runOf(interrupted)).slice(0, 2), runOf(cancelled))
      return startedAfter(e, life, runOf(interrupted))
    },
  },
  "what was withdrawn reached an agent": {
    breaks: "I8",
    plant: (e, { interrupted }) =>
      logged(e, event =>
        event.stream === `run:${runOf(interrupted)}` && event.type === "ended"
          ? [{ ...event, type: "tombstoned" }, event]
          : event,
      ),
  },
  "an agent got the prompt of another turn": {
    breaks: "I8",
    plant: (e, { next }) =>
      noted(e, note =>
        note.run === runOf(next) && note.event === "prompt" ? { ...note, sha256: sha256("what?") } : note,
      ),
  },
}
