/** Inputs of a turn that exercise each guard, as the graph explores them and as tests name them. */
import type { AnyInput } from "../given.ts"
import { digest, failure, launch, verdict } from "./words.ts"

const closed = (run: string, outcome: string, more: object = {}): AnyInput => ({
  type: "runClosed",
  run,
  reason: "turnEnd",
  outcome,
  failure: null,
  verdict: null,
  reply: null,
  explanation: null,
  left: [],
  conversation: null,
  emitted: false,
  ...more,
})

export const turn = {
  queued: { type: "queued", ...launch, turn: "t1", prompt: digest },
  start: { type: "start", resume: null, historyLost: false },
  startResuming: (resume: string) => ({ type: "start", resume, historyLost: false }),
  interrupt: { type: "interrupt" },
  unblock: { type: "unblock" },
  blocked: (run: string) => ({ type: "runBlocked", run, reason: "keyMissing" }),
  active: (run: string) => ({ type: "runActive", run }),
  identified: (run: string) => ({ type: "runIdentified", run, conversation: `of-${run}` }),
  known: (run: string) => ({ type: "outcomeKnown", run }),
  closed,
  failed: (run: string, kind: string, more: object = {}) =>
    closed(run, "failed", { failure: failure(kind), ...more }),
} as const

const runs = ["t1.1", "t1.2"]

export const turnInputs: readonly AnyInput[] = [
  turn.queued,
  turn.start,
  turn.startResuming("kept"),
  turn.interrupt,
  turn.unblock,
  ...runs.flatMap(run => [
    turn.blocked(run),
    turn.active(run),
    turn.identified(run),
    turn.known(run),
    closed(run, "succeeded", { verdict, conversation: `of-${run}` }),
    closed(run, "interrupted"),
    closed(run, "outcomeUnknown"),
    turn.failed(run, "agent"),
    turn.failed(run, "transient"),
    turn.failed(run, "transient", { emitted: true }),
    turn.failed(run, "resumeLost"),
    turn.failed(run, "resumeLost", { emitted: true }),
  ]),
  { type: "timer", id: "none" },
]

/** What of the context makes two states of a turn different for its guards. */
export const turnKey = (context: Readonly<Record<string, unknown>>): unknown => [
  context.runs,
  context.resume,
  context.interrupting,
  context.historyLost,
  context.blocked,
  context.closed === null,
]
