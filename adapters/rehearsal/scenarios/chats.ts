/** Field cases RS: what becomes of a conversation between two turns. */
import { failures } from "./failures.ts"
import {
  emit,
  ended,
  failed,
  good,
  hanging,
  opening,
  refused,
  resultEvent,
  type Scenarios,
  says,
  turn,
} from "./parts.ts"

const remembering = says("This is turn $TURN of chat $SESSION; you said before: $REMEMBERED")

/** A resume fails before init with this text; a fresh start works. */
const goneWith = (text: string) => ({
  expect: { ...failed, args: ["--resume", "0b7d7a52-4a1c-4c56-9c5e-5a1f3a4e8d10"] },
  turns: [{ when: { resumed: true }, steps: refused(text) }, ...good(remembering)],
})

export const chats: Scenarios = {
  "rs-01": failures["unknown-chat"],
  "rs-02": goneWith("No conversation found with session ID: $SESSION\n"),
  "rs-02-uuid": goneWith(
    'Failed to claim persistent session for chat "$SESSION": Persistent-session chat ID must be a UUID\n',
  ),
  "rs-02-not-found": goneWith("Error: chat not found\n"),
  "rs-04": { about: "Dies before its first line.", expect: failed, turns: turn({ do: "exit", code: 1 }) },
  "rs-04-killed": {
    expect: { signal: "SIGKILL", result: false },
    turns: turn({ do: "signal", name: "SIGKILL" }),
  },
  "rs-04-late-id": {
    about: "Only the result names the session.",
    expect: ended,
    turns: turn({ do: "init", sessionId: false }, emit(resultEvent("Hello."))),
  },
  "rs-06": {
    about: "A prompt with `wait` in it hangs, and is forgotten when it is interrupted.",
    expect: ended,
    turns: [
      { when: { promptIncludes: "wait" }, steps: [...opening, says("I am waiting"), { do: "hang" }] },
      ...good(remembering),
    ],
  },
  "rs-06-hangs": {
    about: "The same, whatever the prompt.",
    expect: hanging,
    turns: turn(...opening, { do: "hang" }),
  },
  "rs-07": {
    about: "`--continue` takes the chat of this folder that was used last, whosever it is.",
    expect: { ...ended, args: ["--continue"] },
    turns: good(remembering),
  },
  "rs-08": {
    about: "An id of the caller's choice works once.",
    expect: { ...ended, args: ["--new-session-id", "0b7d7a52-4a1c-4c56-9c5e-5a1f3a4e8d10"] },
    turns: good(remembering),
  },
}
