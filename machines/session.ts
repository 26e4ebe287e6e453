/**
 * A session: one conversation of one agent in one worktree, and the queue of its turns. It outlives every
 * process. It decides which turn is next and which conversation the next run resumes; never how a turn goes.
 */
import { assign, setup } from "xstate"
import { z } from "zod"
import { command, defineMachine, type InputOf, observation, orThrow, requests, timerInput } from "./kernel.ts"
import {
  conversationId,
  digest,
  failureKind,
  runLimits,
  sessionId,
  streamOf,
  turnId,
  turnOutcome,
  usage,
} from "./words.ts"

/** Turns that may wait in one session. */
export const maxQueuedTurns = 100

const about = z.strictObject({
  session: sessionId,
  agent: z.string().min(1).max(64),
  cwd: z.string().min(1).max(4096),
  model: z.string().min(1).max(128),
  limits: runLimits,
})

/** Short enough that the ids of its runs, which are made from it, are ids too. */
const newTurnId = turnId.max(120)
const waitingTurn = z.strictObject({ turn: newTurnId, prompt: digest })

const context = z.strictObject({
  about: about.nullable(),
  /** What the next run resumes; never replaced by an empty one, nor by that of a failed run. */
  conversation: conversationId.nullable(),
  /** What the conversation has used, where its agent counts by conversation; null when unknown. */
  conversationUsage: usage.nullable().default(null),
  /** The conversation was given up as broken; the next turn begins a fresh one. */
  historyLost: z.boolean(),
  current: turnId.nullable(),
  queue: z.array(waitingTurn).max(maxQueuedTurns),
  /** Where to go when the current turn has settled. */
  next: z.enum(["ready", "paused", "archived", "disposed"]),
})
type Context = z.infer<typeof context>

const inputs = {
  launch: command(about),
  send: command(waitingTurn),
  interrupt: command(z.strictObject({ turn: turnId })),
  pause: command(z.strictObject({})),
  resume: command(z.strictObject({})),
  archive: command(z.strictObject({})),
  dispose: command(z.strictObject({})),
  identified: observation(z.strictObject({ turn: turnId, conversation: conversationId })),
  turnSettled: observation(
    z.strictObject({
      turn: turnId,
      outcome: turnOutcome,
      failure: failureKind.nullable(),
      conversation: conversationId.nullable(),
      /** The conversation cannot take another prompt. */
      broken: z.boolean(),
      conversationUsage: usage.nullable().default(null),
    }),
  ),
  timer: timerInput,
}
type Inputs = InputOf<typeof inputs>
type On<T extends Inputs["type"]> = { context: Context; event: Extract<Inputs, { type: T }> }
const effects = {}

const machine = setup({
  types: {} as { context: Context; events: Inputs },
  actions: requests(effects),
  guards: {
    room: ({ context, event }) =>
      context.queue.length < maxQueuedTurns && !isLeaving(context) && !isKnown(context, turnOf(event)),
    staying: ({ context }) => context.next !== "disposed",
    empty: ({ context }) => context.queue.length === 0,
    waiting: ({ context }) => context.queue.length > 0,
    ofCurrent: ({ context, event }) => turnOf(event) === context.current,
    ofQueued: ({ context, event }) => isQueued(context, turnOf(event)),
    pausing: ({ context }) => context.next === "paused",
    archiving: ({ context }) => context.next === "archived",
    disposing: ({ context }) => context.next === "disposed",
  },
}).createMachine({
  id: "session",
  context: {
    about: null,
    conversation: null,
    conversationUsage: null,
    historyLost: false,
    current: null,
    queue: [],
    next: "ready",
  },
  initial: "absent",
  options: { maxIterations: 8 },
  states: {
    absent: {
      on: { launch: { target: "ready", actions: assign(launched) } },
    },
    ready: {
      on: {
        send: {
          target: "busy",
          actions: [
            { type: "send", params: createTurn },
            { type: "send", params: startSent },
            assign({ current: ({ event }) => event.turn }),
          ],
        },
        pause: { target: "paused" },
        archive: { target: "archived" },
        dispose: { guard: "empty", target: "disposed" },
      },
    },
    busy: {
      on: {
        send: { guard: "room", actions: [{ type: "send", params: createTurn }, assign(enqueue)] },
        interrupt: [
          { guard: "ofCurrent", actions: { type: "send", params: interruptTurn } },
          { guard: "ofQueued", actions: { type: "send", params: interruptTurn } },
        ],
        identified: { guard: "ofCurrent", actions: assign(keepFirstConversation) },
        pause: {
          guard: "staying",
          actions: [assign({ next: "paused" }), { type: "send", params: interruptCurrent }],
        },
        archive: {
          guard: "staying",
          actions: [assign({ next: "archived" }), { type: "send", params: interruptCurrent }],
        },
        dispose: {
          guard: "empty",
          actions: [assign({ next: "disposed" }), { type: "send", params: interruptCurrent }],
        },
        resume: { guard: "staying", actions: assign({ next: "ready" }) },
        turnSettled: [
          { guard: "ofQueued", actions: assign(forget) },
          { guard: "ofCurrent", target: "deciding", actions: assign(settle) },
        ],
      },
    },
    deciding: {
      always: [
        { guard: "disposing", target: "disposed" },
        { guard: "archiving", target: "archived" },
        { guard: "pausing", target: "paused" },
        {
          guard: "waiting",
          target: "busy",
          actions: [{ type: "send", params: startNext }, assign(takeNext)],
        },
        { target: "ready" },
      ],
    },
    paused: {
      on: {
        send: { guard: "room", actions: [{ type: "send", params: createTurn }, assign(enqueue)] },
        interrupt: { guard: "ofQueued", actions: { type: "send", params: interruptTurn } },
        turnSettled: { guard: "ofQueued", actions: assign(forget) },
        resume: { target: "deciding", actions: assign({ next: "ready" }) },
        archive: { target: "archived" },
        dispose: { guard: "empty", target: "disposed" },
      },
    },
    archived: {
      on: {
        interrupt: { guard: "ofQueued", actions: { type: "send", params: interruptTurn } },
        turnSettled: { guard: "ofQueued", actions: assign(forget) },
        resume: { target: "deciding", actions: assign({ next: "ready" }) },
        dispose: { guard: "empty", target: "disposed" },
      },
    },
    disposed: { type: "final" },
  },
})

function launched({ event }: On<"launch">): Partial<Context> {
  const { type: _, ...launch } = event
  return { about: launch }
}

function createTurn({ context, event }: On<"send">) {
  return {
    creates: true as const,
    stream: streamOf.turn(event.turn),
    input: { type: "queued", ...orThrow(context.about), turn: event.turn, prompt: event.prompt },
  }
}

const start = (turn: string, { conversation, conversationUsage, historyLost }: Context) => ({
  stream: streamOf.turn(turn),
  input: { type: "start", resume: conversation, usageBefore: conversationUsage, historyLost },
})
function startSent({ context, event }: On<"send">) {
  return start(event.turn, context)
}
function startNext({ context }: { context: Context }) {
  return start(orThrow(context.queue[0]).turn, context)
}
function takeNext({ context }: { context: Context }): Partial<Context> {
  return { current: orThrow(context.queue[0]).turn, queue: context.queue.slice(1) }
}

const interrupt = (turn: string) => ({ stream: streamOf.turn(turn), input: { type: "interrupt" } })
function interruptTurn({ event }: On<"interrupt">) {
  return interrupt(event.turn)
}
function interruptCurrent({ context }: { context: Context }) {
  return interrupt(orThrow(context.current))
}

function enqueue({ context, event }: On<"send">): Partial<Context> {
  return { queue: [...context.queue, { turn: event.turn, prompt: event.prompt }] }
}
function forget({ context, event }: On<"turnSettled">): Partial<Context> {
  return { queue: context.queue.filter(waiting => waiting.turn !== event.turn) }
}

/** The first id that a session hears of is kept at once, so that a crash before the turn's end loses nothing. */
function keepFirstConversation({ context, event }: On<"identified">): Partial<Context> {
  return { conversation: context.conversation ?? event.conversation }
}
/** Only a success replaces a conversation. */
function settle({ context, event }: On<"turnSettled">): Partial<Context> {
  const { outcome, broken } = event
  const replaces = outcome === "succeeded" || context.conversation === null
  const heard = replaces ? (event.conversation ?? context.conversation) : context.conversation
  const isHeard = event.conversation === null || event.conversation === heard
  return {
    current: null,
    conversation: broken ? null : heard,
    conversationUsage: broken || !isHeard ? null : event.conversationUsage,
    // Told with the next turn: it starts without what was said before.
    historyLost: broken && heard !== null,
    next: context.next === "ready" && needsPerson(context, event) ? "paused" : context.next,
  }
}

/** An unknown outcome has to be looked at; a login has to be renewed before what waits is tried. */
function needsPerson(context: Context, { outcome, failure }: On<"turnSettled">["event"]): boolean {
  return outcome === "outcomeUnknown" || (failure === "auth" && context.queue.length > 0)
}

function turnOf(event: Inputs): string | null {
  return "turn" in event ? event.turn : null
}
function isLeaving(context: Context): boolean {
  return context.next === "archived" || context.next === "disposed"
}
function isKnown(context: Context, turn: string | null): boolean {
  return context.current === turn || isQueued(context, turn)
}
function isQueued(context: Context, turn: string | null): boolean {
  return context.queue.some(waiting => waiting.turn === turn)
}
/** The machine of a session: its queue, one turn at a time, and what it is allowed to start. */
export const session = defineMachine({
  name: "session",
  version: 1,
  inputs,
  effects,
  context,
  machine,
  refuse(state, snapshot, input) {
    const known = context.parse(snapshot)
    const { queue, next } = known
    if (state === "absent") return "SESSION_UNKNOWN"
    if (input.type === "launch") return "SESSION_EXISTS"
    if (state === "disposed") return "SESSION_DISPOSED"
    if (input.type === "send" && (state === "archived" || next === "archived")) return "SESSION_ARCHIVED"
    if (next === "disposed") return "SESSION_DISPOSED"
    if (input.type === "send" && "turn" in input && isKnown(known, String(input.turn))) return "TURN_EXISTS"
    if (input.type === "send" && queue.length >= maxQueuedTurns) return "QUEUE_FULL"
    if (input.type === "dispose" && queue.length > 0) return "QUEUE_NOT_EMPTY"
    if (input.type === "interrupt") return "TURN_NOT_RUNNING"
    return null
  },
})
