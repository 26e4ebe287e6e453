/**
 * What is played when nobody asked for anything: a short, honest piece of work. It thinks, keeps a note file in the
 * workspace, reads it back, counts its lines in a shell, and says what it did and what it remembers. Some five seconds.
 */
import type { Scenario, Step } from "../scenario.ts"
import { ended, opening } from "./parts.ts"

const PACE_MS = 60

const work: readonly Step[] = [
  {
    do: "thinking",
    text: "The request is clear enough. I will leave a note in the workspace, read it back to be sure, and count its lines.",
    chunks: 10,
    waitMs: PACE_MS,
  },
  { do: "text", text: "I'll write a note first, then check it. ", chunks: 5, waitMs: PACE_MS },
  {
    do: "tool",
    kind: "edit",
    args: { path: "rehearsal-notes.md" },
    append: "- turn $TURN: $PROMPT\n",
    real: true,
    waitMs: 300,
  },
  { do: "tool", kind: "read", args: { path: "rehearsal-notes.md" }, real: true, waitMs: 150 },
  {
    do: "tool",
    kind: "shell",
    args: { command: "wc -l rehearsal-notes.md", workingDirectory: "", timeout: 30_000 },
    description: "Count the notes",
    real: true,
    waitMs: 300,
  },
]

const ending =
  "The note is in `rehearsal-notes.md`, one line for every turn of this chat, and I read it back to be sure that it says " +
  "what you asked. No service was called: I am the rehearsal, and everything you see went through the same pipes, files " +
  "and processes as the real agent's work would have."

export const demo: Scenario = {
  about: "A short piece of work with a thought, an edit, a read, a shell command and a streamed reply.",
  expect: ended,
  turns: [
    {
      when: { remembers: true },
      steps: [
        ...opening,
        ...work,
        {
          do: "text",
          text: `This is turn $TURN of this chat; you said before: "$REMEMBERED". ${ending}`,
          chunks: 40,
          waitMs: PACE_MS,
        },
        { do: "result" },
      ],
    },
    {
      steps: [
        ...opening,
        ...work,
        { do: "text", text: `This is turn 1 of this chat. ${ending}`, chunks: 40, waitMs: PACE_MS },
        { do: "result" },
      ],
    },
  ],
}
