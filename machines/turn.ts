/**
 * A turn: one prompt, until exactly one terminal outcome. It asks for runs and judges what became of them; it
 * alone decides whether another run is worth a try. It never touches a process: that is the run's part.
 */
import { assign, setup } from "xstate"
import { z } from "zod"
import { defineMachine, type InputOf, observation, orThrow, requests, timerInput } from "./kernel.ts"
import {
  blockReason,
  closeReason,
  conversationId,
  digest,
  type Failure,
  failure,
  runId,
  runIdOf,
  runLimits,
  sessionId,
  streamOf,
  type TurnOutcome,
  textReference,
  turnId,
  turnOutcome,
  type Usage,
  usage,
  verdict,
} from "./words.ts"

/** Runs that one turn may have: the first, and one more where nothing was done yet. */
const maxRuns = 2

const about = z.strictObject({
  session: sessionId,
  turn: turnId,
  agent: z.string().min(1).max(64),
  cwd: z.string().min(1).max(4096),
  model: z.string().min(1).max(128),
  limits: runLimits,
  prompt: digest,
})

/** How the turn ended: what `turn.settled` tells, and the only place that says it. */
export const settlement = z.strictObject({
  outcome: turnOutcome,
  failure: failure.nullable(),
  verdict: verdict.nullable(),
  reply: textReference.nullable(),
  /** What the failure means for a person; kept as a text, since it may quote the agent. */
  explanation: textReference.nullable(),
  /** Processes that could not be verified or ended. */
  left: z.array(z.int()),
})
/** See `settlement`. */
export type Settlement = z.infer<typeof settlement>

/** What a run says when it is over. */
const closed = z.strictObject({
  run: runId,
  reason: closeReason,
  ...settlement.shape,
  conversation: conversationId.nullable(),
  /** Something reached a reader or may have had an effect: no other run may try the same prompt. */
  emitted: z.boolean(),
})

export const context = z.strictObject({
  about: about.nullable(),
  resume: conversationId.nullable(),
  usageBefore: usage.nullable().default(null),
  runs: z.int().nonnegative(),
  /** The conversation to resume was gone or broken, and a fresh one was started. */
  historyLost: z.boolean(),
  interrupting: z.boolean(),
  blocked: blockReason.nullable(),
  /** How the latest run ended; with the terminal states, how the turn ended. */
  closed: closed.nullable(),
})
type Context = z.infer<typeof context>

const inputs = {
  queued: observation(about),
  start: observation(
    z.strictObject({
      resume: conversationId.nullable(),
      usageBefore: usage.nullable().default(null),
      historyLost: z.boolean(),
    }),
  ),
  interrupt: observation(z.strictObject({})),
  unblock: observation(z.strictObject({})),
  runBlocked: observation(z.strictObject({ run: runId, reason: blockReason })),
  runActive: observation(z.strictObject({ run: runId })),
  runIdentified: observation(z.strictObject({ run: runId, conversation: conversationId })),
  outcomeKnown: observation(z.strictObject({ run: runId })),
  runClosed: observation(closed),
  timer: timerInput,
}
type Inputs = InputOf<typeof inputs>
type On<T extends Inputs["type"]> = { context: Context; event: Extract<Inputs, { type: T }> }
type In = { context: Context }
const effects = {}

const machine = setup({
  types: {} as { context: Context; events: Inputs },
  actions: requests(effects),
  guards: {
    ofThisRun: ({ context, event }) => "run" in event && event.run === currentRun(context),
    lostConversation: ({ context }) => mayRunAgain(context, "resumeLost") && context.resume !== null,
    nothingDone: ({ context }) => mayRunAgain(context, "transient"),
    succeeded: ({ context }) => context.closed?.outcome === "succeeded",
    interrupted: ({ context }) => context.closed?.outcome === "interrupted",
    unknown: ({ context }) => context.closed?.outcome === "outcomeUnknown",
  },
}).createMachine({
  id: "turn",
  context: {
    about: null,
    resume: null,
    usageBefore: null,
    runs: 0,
    historyLost: false,
    interrupting: false,
    blocked: null,
    closed: null,
  },
  initial: "absent",
  options: { maxIterations: 8 },
  states: {
    absent: {
      on: { queued: { target: "queued", actions: assign(describe) } },
    },
    queued: {
      on: {
        start: { target: "preparing", actions: [assign(begin), { type: "send", params: requestRun }] },
        interrupt: { target: "interrupted", actions: { type: "send", params: reportUnstarted } },
      },
    },
    preparing: {
      on: {
        runBlocked: { guard: "ofThisRun", target: "blocked", actions: assign(block) },
        runActive: { guard: "ofThisRun", target: "running" },
        runIdentified: { guard: "ofThisRun", actions: { type: "send", params: reportIdentified } },
        outcomeKnown: { guard: "ofThisRun", target: "settling" },
        interrupt: { actions: [assign({ interrupting: true }), { type: "send", params: interruptRun }] },
        runClosed: { guard: "ofThisRun", target: "deciding", actions: assign(keepClosed) },
      },
    },
    blocked: {
      on: {
        unblock: {
          target: "preparing",
          actions: [assign({ blocked: null }), { type: "send", params: retryRun }],
        },
        interrupt: { actions: [assign({ interrupting: true }), { type: "send", params: interruptRun }] },
        runClosed: { guard: "ofThisRun", target: "deciding", actions: assign(keepClosed) },
      },
    },
    running: {
      on: {
        runIdentified: { guard: "ofThisRun", actions: { type: "send", params: reportIdentified } },
        outcomeKnown: { guard: "ofThisRun", target: "settling" },
        interrupt: { actions: [assign({ interrupting: true }), { type: "send", params: interruptRun }] },
        runClosed: { guard: "ofThisRun", target: "deciding", actions: assign(keepClosed) },
      },
    },
    settling: {
      on: {
        runIdentified: { guard: "ofThisRun", actions: { type: "send", params: reportIdentified } },
        runClosed: { guard: "ofThisRun", target: "deciding", actions: assign(keepClosed) },
      },
    },
    deciding: {
      always: [
        {
          guard: "lostConversation",
          target: "preparing",
          actions: [assign(forgetConversation), { type: "send", params: requestRun }],
        },
        {
          guard: "nothingDone",
          target: "preparing",
          actions: [assign(tryAgain), { type: "send", params: requestRun }],
        },
        { guard: "succeeded", target: "succeeded", actions: { type: "send", params: reportSettled } },
        { guard: "interrupted", target: "interrupted", actions: { type: "send", params: reportSettled } },
        { guard: "unknown", target: "outcomeUnknown", actions: { type: "send", params: reportSettled } },
        { target: "failed", actions: { type: "send", params: reportSettled } },
      ],
    },
    succeeded: { type: "final" },
    failed: { type: "final" },
    interrupted: { type: "final" },
    outcomeUnknown: { type: "final" },
  },
})

function describe({ event }: On<"queued">): Partial<Context> {
  const { type: _, ...queued } = event
  return { about: queued }
}
function begin({ event }: On<"start">): Partial<Context> {
  const { resume, usageBefore, historyLost } = event
  return { resume, usageBefore, historyLost, runs: 1 }
}
function forgetConversation({ context }: In): Partial<Context> {
  return { resume: null, usageBefore: null, runs: context.runs + 1, historyLost: true }
}
function tryAgain({ context }: In): Partial<Context> {
  return { runs: context.runs + 1 }
}
function block({ event }: On<"runBlocked">): Partial<Context> {
  return { blocked: event.reason }
}
function keepClosed({ event }: On<"runClosed">): Partial<Context> {
  const { type: _, ...last } = event
  return { closed: last, blocked: null }
}

function currentRun(context: Context): string {
  return runIdOf(orThrow(context.about).turn, context.runs)
}
function mayRunAgain(context: Context, kind: Failure["kind"]): boolean {
  const { closed: last, interrupting, runs } = context
  return (
    last?.outcome === "failed" &&
    last.failure?.kind === kind &&
    !last.emitted &&
    // What could not be ended is named in the outcome, and no other run may work beside it.
    last.left.length === 0 &&
    !interrupting &&
    runs < maxRuns
  )
}

function requestRun({ context }: In) {
  const run = currentRun(context)
  const { resume, usageBefore } = context
  return {
    creates: true as const,
    stream: streamOf.run(run),
    input: { type: "requested", ...orThrow(context.about), run, resume, usageBefore },
  }
}
function interruptRun({ context }: In) {
  return { stream: streamOf.run(currentRun(context)), input: { type: "interrupt" } }
}
function retryRun({ context }: In) {
  return { stream: streamOf.run(currentRun(context)), input: { type: "retry" } }
}
function reportIdentified({ context, event }: On<"runIdentified">) {
  const { session, turn } = orThrow(context.about)
  return {
    stream: streamOf.session(session),
    input: { type: "identified", turn, conversation: event.conversation },
  }
}
function reportSettled({ context }: In) {
  const { outcome, failure: why, conversation, verdict: judged } = orThrow(context.closed)
  // Without a verdict nothing ran, unless nobody knows.
  const unspent = judged === null && outcome !== "outcomeUnknown"
  const conversationUsage = unspent ? context.usageBefore : (judged?.conversationUsage ?? null)
  // A conversation that was found gone stays gone, also when the fresh one failed.
  const gone = context.historyLost && outcome !== "succeeded"
  const broken = gone || judged?.conversation === "broken"
  return settled(context, { outcome, failure: why?.kind ?? null, conversation, conversationUsage, broken })
}
function reportUnstarted({ context }: In) {
  return settled(context, {
    outcome: "interrupted",
    failure: null,
    conversation: null,
    conversationUsage: context.usageBefore,
    broken: false,
  })
}
function settled(
  context: Context,
  how: {
    readonly outcome: TurnOutcome
    readonly failure: Failure["kind"] | null
    readonly conversation: string | null
    readonly conversationUsage: Usage | null
    readonly broken: boolean
  },
) {
  const { session, turn } = orThrow(context.about)
  return { stream: streamOf.session(session), input: { type: "turnSettled", turn, ...how } }
}

/** The machine of a turn: one prompt, its runs, and exactly one outcome. */
export const turn = defineMachine({ name: "turn", version: 1, inputs, effects, context, machine })
