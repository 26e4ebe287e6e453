/** Inputs of a session that exercise each guard, as the graph explores them and as tests name them. */
import type { AnyInput } from "../given.ts"
import { digest, launch } from "./words.ts"

const settled = (turn: string, outcome: string, more: object = {}): AnyInput => ({
  type: "turnSettled",
  turn,
  outcome,
  failure: null,
  conversation: null,
  broken: false,
  ...more,
})

export const session = {
  launch: { type: "launch", ...launch },
  send: (turn: string) => ({ type: "send", turn, prompt: digest }),
  interrupt: (turn: string) => ({ type: "interrupt", turn }),
  pause: { type: "pause" },
  resume: { type: "resume" },
  archive: { type: "archive" },
  dispose: { type: "dispose" },
  identified: (turn: string, conversation: string) => ({ type: "identified", turn, conversation }),
  settled,
  /** A session in which `t0` runs and `waiting` turns are queued. */
  crowded: (waiting: number): AnyInput[] => [
    session.launch,
    ...Array.from({ length: waiting + 1 }, (_, index) => session.send(`t${index}`)),
  ],
} as const

const turns = ["t1", "t2"]

export const sessionInputs: readonly AnyInput[] = [
  session.launch,
  session.pause,
  session.resume,
  session.archive,
  session.dispose,
  ...turns.flatMap(turn => [
    session.send(turn),
    session.interrupt(turn),
    session.identified(turn, `of-${turn}`),
    settled(turn, "succeeded", { conversation: `of-${turn}` }),
    settled(turn, "failed", { conversation: "of-failed" }),
    settled(turn, "interrupted"),
    settled(turn, "outcomeUnknown"),
    settled(turn, "succeeded", { conversation: `of-${turn}`, broken: true }),
  ]),
  { type: "timer", id: "none" },
]

/** What of the context makes two states of a session different for its guards. */
export const sessionKey = (context: Readonly<Record<string, unknown>>): unknown => [
  context.current,
  context.queue,
  context.next,
  context.conversation,
]
