/**
 * A run: one live execution of a turn by one process, from the request to the moment that everything it
 * started is dead. It decides when to start, what a found run folder means, when silence is too long, and how
 * the run ended. It knows no agent by name: what its lines mean arrives as observations.
 */
import { assign, setup } from "xstate"
import { z } from "zod"
import { type Found, type FoundRow, found, rowOf } from "./folder-table.ts"
import { defineMachine, effect, type InputOf, observation, orThrow, requests, timerInput } from "./kernel.ts"
import {
  blockReason,
  type CloseReason,
  closeReason,
  conversationId,
  digest,
  type Failure,
  failure,
  noticeCode,
  processIdentity,
  runId,
  runLimits,
  sessionId,
  streamOf,
  type TurnOutcome,
  textReference,
  turnId,
  verdict,
} from "./words.ts"

/** Tool calls that may be open at once; a further one is seen, and not waited for. */
const maxOpenTools = 64

const about = z.strictObject({
  session: sessionId,
  turn: turnId,
  run: runId,
  agent: z.string().min(1).max(64),
  cwd: z.string().min(1).max(4096),
  model: z.string().min(1).max(128),
  limits: runLimits,
  prompt: digest,
  resume: conversationId.nullable(),
})

const openTool = z.strictObject({
  /** Ordinal of the call within the run; the agent's own call id is opaque and stays in the spool. */
  tool: z.int().nonnegative(),
  /** The longest silence that the call itself asked for. */
  patienceMs: z.int().nonnegative().nullable(),
})

/** What the spool said by its end, or by its terminal line. */
const conclusion = z.strictObject({
  /** A terminal line was among it. */
  terminal: z.boolean(),
  verdict,
  reply: textReference.nullable(),
})

const context = z.strictObject({
  about: about.nullable(),
  /** The boot in which the launcher was asked for. */
  boot: z.string().max(64).nullable(),
  launcher: processIdentity.nullable(),
  conversation: conversationId.nullable(),
  /** Everything before this byte of the spool is in the log. */
  cursor: z.int().nonnegative(),
  openTools: z.array(openTool).max(maxOpenTools),
  emitted: z.boolean(),
  reason: closeReason.nullable(),
  failure: failure.nullable(),
  conclusion: conclusion.nullable(),
  left: z.array(z.int()),
})
type Context = z.infer<typeof context>

const cursor = z.int().nonnegative()

const inputs = {
  requested: observation(about),
  retry: observation(z.strictObject({})),
  interrupt: observation(z.strictObject({})),

  prepared: observation(z.strictObject({ boot: z.string().max(64) })),
  blocked: observation(z.strictObject({ reason: blockReason })),
  refused: observation(z.strictObject({ failure })),
  launched: observation(z.strictObject({})),
  launchFailed: observation(z.strictObject({ failure })),
  tombstoned: observation(z.strictObject({})),
  claimLost: observation(z.strictObject({ launcher: processIdentity })),

  found: observation(found),

  identified: observation(z.strictObject({ cursor, conversation: conversationId })),
  spoke: observation(z.strictObject({ cursor })),
  toolStarted: observation(z.strictObject({ cursor, ...openTool.shape })),
  toolCompleted: observation(z.strictObject({ cursor, tool: openTool.shape.tool, denied: z.boolean() })),
  noticed: observation(z.strictObject({ cursor, code: noticeCode, count: z.int().positive() })),
  resultSeen: observation(z.strictObject({ cursor, ...conclusion.shape })),

  probed: observation(
    z.strictObject({
      timer: z.enum(["firstOutput", "idle", "total"]),
      bytes: z.int().nonnegative(),
      /** Awake time since the last byte of stdout, or since the start. */
      silentMs: z.int().nonnegative(),
    }),
  ),
  ended: observation(
    z.strictObject({ cursor, ...conclusion.shape, emitted: z.boolean(), left: z.array(z.int()).max(64) }),
  ),
  timer: timerInput,
}
type Inputs = InputOf<typeof inputs>
type On<T extends Inputs["type"]> = { context: Context; event: Extract<Inputs, { type: T }> }
type In = { context: Context }

const ofRun = z.strictObject({ run: runId })
const effects = {
  /** Find binary, key and cwd; write prompt and spec. Ends: prepared, blocked, refused. */
  prepare: effect("repeatable", ofRun),
  /** Start the launcher. Ends: launched, launchFailed, blocked; after a crash: found. */
  launch: effect("adoptable", ofRun),
  /** Claim by host, so that no launcher ever will. Ends: tombstoned, claimLost. */
  tombstone: effect("repeatable", ofRun),
  /** Look at the spool now. Ends: probed. */
  probe: effect("repeatable", ofRun.extend({ timer: z.enum(["firstOutput", "idle", "total"]) })),
  /** End every process of the run, read the spool to its end. Ends: ended. */
  end: effect("repeatable", ofRun.extend({ mode: z.enum(["afterResult", "interrupt", "sweep"]) })),
}

const machine = setup({
  types: {} as { context: Context; events: Inputs },
  actions: requests(effects),
  guards: {
    row: ({ event }, row: FoundRow) => event.type === "found" && rowOf(event) === row,
    over: ({ event }) => event.type === "found" && overReasons[rowOf(event)] !== undefined,
    noFirstOutput: ({ event }) =>
      event.type === "probed" && event.timer === "firstOutput" && event.bytes === 0,
    outOfTime: ({ event }) => event.type === "probed" && event.timer === "total",
    silentTooLong: ({ context, event }) =>
      event.type === "probed" && event.bytes > 0 && event.silentMs >= patienceMs(context),
    ofWatchdog: ({ event }) => event.type === "timer" && event.id !== "elsewhere",
    room: ({ context }) => context.openTools.length < maxOpenTools,
    open: ({ context }) => context.conclusion === null,
  },
}).createMachine({
  id: "run",
  context: {
    about: null,
    boot: null,
    launcher: null,
    conversation: null,
    cursor: 0,
    openTools: [],
    emitted: false,
    reason: null,
    failure: null,
    conclusion: null,
    left: [],
  },
  initial: "absent",
  states: {
    absent: {
      on: {
        requested: { target: "preparing", actions: [assign(describe), { type: "prepare", params: itself }] },
      },
    },
    preparing: {
      on: {
        prepared: {
          target: "spawning",
          actions: [assign(rememberBoot), { type: "launch", params: itself }],
        },
        blocked: { target: "blocked", actions: { type: "send", params: reportBlocked } },
        refused: { target: "closed", actions: assign(refuse) },
        interrupt: {
          target: "tombstoning",
          actions: [assign(because("abort")), { type: "tombstone", params: itself }],
        },
      },
    },
    blocked: {
      on: {
        retry: { target: "preparing", actions: { type: "prepare", params: itself } },
        interrupt: {
          target: "tombstoning",
          actions: [assign(because("abort")), { type: "tombstone", params: itself }],
        },
      },
    },
    spawning: {
      entry: { type: "schedule", params: claimTimer },
      exit: { type: "cancel", params: { id: "claim" } },
      on: {
        timer: {
          target: "tombstoning",
          actions: [assign(because("firstOutputTimeout")), { type: "tombstone", params: itself }],
        },
        launchFailed: { target: "closed", actions: assign(failToLaunch) },
        blocked: { target: "blocked", actions: { type: "send", params: reportBlocked } },
        interrupt: {
          target: "tombstoning",
          actions: [assign(because("abort")), { type: "tombstone", params: itself }],
        },
        found: [
          { guard: { type: "row", params: "notDelivered" }, actions: { type: "launch", params: itself } },
          {
            guard: { type: "row", params: "claimLostWithPower" },
            target: "closed",
            actions: assign(because("notDelivered")),
          },
          {
            guard: { type: "row", params: "tombstone" },
            target: "closed",
            actions: assign(because("abort")),
          },
          {
            guard: { type: "row", params: "adopt" },
            target: "active",
            actions: [
              assign({ launcher: ({ event }) => event.launcher }),
              { type: "send", params: reportActive },
            ],
          },
          {
            guard: { type: "row", params: "elsewhere" },
            target: "active",
            actions: [
              assign({ launcher: ({ event }) => event.launcher }),
              { type: "send", params: reportActive },
              { type: "schedule", params: elsewhereTimer },
            ],
          },
          {
            guard: "over",
            target: "closing",
            actions: [assign(becauseFound), { type: "end", params: ending("sweep") }],
          },
        ],
      },
    },
    active: {
      entry: [
        { type: "schedule", params: firstOutputTimer },
        { type: "schedule", params: totalTimer },
      ],
      on: {
        identified: { actions: [assign(identify), { type: "send", params: reportIdentified }] },
        spoke: { actions: assign(({ event }) => emit(event)) },
        toolStarted: [
          { guard: "room", actions: assign(openCall) },
          { actions: assign(({ event }) => emit(event)) },
        ],
        toolCompleted: { actions: assign(closeCall) },
        noticed: { actions: assign({ cursor: ({ event }) => event.cursor }) },
        resultSeen: {
          target: "closing",
          actions: [
            assign(conclude),
            { type: "send", params: reportKnown },
            { type: "end", params: ending("afterResult") },
          ],
        },
        interrupt: {
          target: "closing",
          actions: [assign(because("abort")), { type: "end", params: ending("interrupt") }],
        },
        timer: [
          { guard: "ofWatchdog", actions: { type: "probe", params: probeFor } },
          {
            target: "closing",
            actions: [assign(because("elsewhere")), { type: "end", params: ending("sweep") }],
          },
        ],
        probed: [
          {
            guard: "noFirstOutput",
            target: "closing",
            actions: [assign(because("firstOutputTimeout")), { type: "end", params: ending("interrupt") }],
          },
          {
            guard: "outOfTime",
            target: "closing",
            actions: [assign(because("totalTimeout")), { type: "end", params: ending("interrupt") }],
          },
          {
            guard: "silentTooLong",
            target: "closing",
            actions: [assign(because("idleTimeout")), { type: "end", params: ending("interrupt") }],
          },
          { actions: { type: "schedule", params: idleTimer } },
        ],
        found: [
          {
            guard: { type: "row", params: "adopt" },
            actions: assign({ launcher: ({ event }) => event.launcher }),
          },
          {
            guard: { type: "row", params: "elsewhere" },
            actions: { type: "schedule", params: elsewhereTimer },
          },
          // Also without a claim, which a run that was claimed can only lose with its folder.
          {
            target: "closing",
            actions: [assign(becauseFound), { type: "end", params: ending("sweep") }],
          },
        ],
      },
    },
    tombstoning: {
      on: {
        tombstoned: { target: "closed" },
        claimLost: {
          target: "closing",
          actions: [
            assign({ launcher: ({ event }) => event.launcher }),
            { type: "end", params: ending("interrupt") },
          ],
        },
      },
    },
    closing: {
      entry: [
        { type: "cancel", params: { id: "firstOutput" } },
        { type: "cancel", params: { id: "idle" } },
        { type: "cancel", params: { id: "total" } },
        { type: "cancel", params: { id: "elsewhere" } },
      ],
      on: {
        identified: { actions: [assign(identify), { type: "send", params: reportIdentified }] },
        resultSeen: { guard: "open", actions: assign(conclude) },
        ended: { target: "closed", actions: assign(end) },
      },
    },
    closed: {
      type: "final",
      entry: { type: "send", params: reportClosed },
    },
  },
})

/** Rows of the folder's table after which the run is over, wherever they are found. */
const overReasons: Partial<Record<FoundRow, (folder: Found) => CloseReason>> = {
  endedByLauncher: folder => orThrow(folder.ended),
  exited: () => "exited",
  neverStarted: () => "neverStarted",
  vanished: () => "vanished",
}
function becauseFound({ event }: On<"found">): Partial<Context> {
  return { reason: overReasons[rowOf(event)]?.(event) ?? "vanished" }
}

function itself({ context }: In) {
  return { run: orThrow(context.about).run }
}
function ending(mode: "afterResult" | "interrupt" | "sweep") {
  return ({ context }: In) => ({ ...itself({ context }), mode })
}
function probeFor({ context, event }: On<"timer">) {
  return { ...itself({ context }), timer: z.enum(["firstOutput", "idle", "total"]).parse(event.id) }
}

const awake = (id: string, afterMs: number) => ({ id, afterMs, clock: "awake" as const })
function claimTimer({ context }: In) {
  return awake("claim", orThrow(context.about).limits.firstOutputMs)
}
function firstOutputTimer({ context }: In) {
  return awake("firstOutput", orThrow(context.about).limits.firstOutputMs)
}
function totalTimer({ context }: In) {
  return awake("total", orThrow(context.about).limits.totalMs)
}
function idleTimer({ context, event }: On<"probed">) {
  return awake("idle", Math.max(1, patienceMs(context) - event.silentMs))
}
function elsewhereTimer({ context }: In) {
  return { id: "elsewhere", afterMs: orThrow(context.about).limits.unattendedMs, clock: "wall" as const }
}
/** How long silence is healthy: an open tool call extends it, to what the call itself asked for and more. */
function patienceMs(context: Context): number {
  const { limits } = orThrow(context.about)
  if (context.openTools.length === 0) return limits.idleMs
  const asked = context.openTools.map(call => (call.patienceMs ?? 0) + limits.idleMs)
  return Math.max(limits.toolIdleMs, ...asked)
}

function describe({ event }: On<"requested">): Partial<Context> {
  const { type: _, ...request } = event
  return { about: request }
}
function rememberBoot({ event }: On<"prepared">): Partial<Context> {
  return { boot: event.boot }
}
function because(reason: CloseReason) {
  return (): Partial<Context> => ({ reason })
}
function refuse({ event }: On<"refused">): Partial<Context> {
  return { reason: "refused", failure: event.failure }
}
function failToLaunch({ event }: On<"launchFailed">): Partial<Context> {
  return { reason: "neverStarted", failure: event.failure }
}
function identify({ context, event }: On<"identified">): Partial<Context> {
  return { cursor: event.cursor, conversation: context.conversation ?? event.conversation }
}
function emit(event: { readonly cursor: number }): Partial<Context> {
  return { cursor: event.cursor, emitted: true }
}
function openCall({ context, event }: On<"toolStarted">): Partial<Context> {
  const { tool, patienceMs: asked } = event
  return { ...emit(event), openTools: [...context.openTools, { tool, patienceMs: asked }] }
}
function closeCall({ context, event }: On<"toolCompleted">): Partial<Context> {
  return { ...emit(event), openTools: context.openTools.filter(call => call.tool !== event.tool) }
}
function conclude({ context, event }: On<"resultSeen">): Partial<Context> {
  const { terminal, verdict: judged, reply } = event
  return {
    cursor: event.cursor,
    reason: context.reason ?? "turnEnd",
    conclusion: { terminal, verdict: judged, reply },
  }
}
/** What the terminal line said stands; the end of the spool only speaks where there was none. */
function end({ context, event }: On<"ended">): Partial<Context> {
  const { terminal, verdict: judged, reply, left } = event
  return {
    cursor: event.cursor,
    emitted: context.emitted || event.emitted,
    left,
    openTools: [],
    conclusion: context.conclusion ?? { terminal, verdict: judged, reply },
  }
}

function reportBlocked({ context, event }: On<"blocked">) {
  return report(context, { type: "runBlocked", reason: event.reason })
}
function reportActive({ context }: In) {
  return report(context, { type: "runActive" })
}
function reportIdentified({ context, event }: On<"identified">) {
  return report(context, {
    type: "runIdentified",
    conversation: context.conversation ?? event.conversation,
  })
}
function reportKnown({ context }: In) {
  return report(context, { type: "outcomeKnown" })
}
function reportClosed({ context }: In) {
  const { reason, conclusion: said, conversation, emitted, left } = context
  return report(context, {
    type: "runClosed",
    reason: orThrow(reason),
    ...outcomeOf(context),
    verdict: said?.verdict ?? null,
    reply: said?.reply ?? null,
    conversation,
    emitted,
    left,
  })
}
function report(context: Context, input: { type: string; [key: string]: unknown }) {
  const { turn, run: id } = orThrow(context.about)
  return { stream: streamOf.turn(turn), input: { ...input, run: id } }
}

/** A delivered answer wins over whatever ended the process; an interrupt wins over a failure. */
function outcomeOf(context: Context): { outcome: TurnOutcome; failure: Failure | null } {
  const { conclusion: said, reason } = context
  if (said?.terminal && said.verdict.outcome === "succeeded") return { outcome: "succeeded", failure: null }
  if (reason === "abort") return { outcome: "interrupted", failure: null }
  if (said?.terminal || reason === "exited")
    return { outcome: said?.verdict.outcome ?? "failed", failure: said?.verdict.failure ?? null }
  if (reason === "vanished" || reason === "notDelivered" || reason === "elsewhere")
    return { outcome: "outcomeUnknown", failure: null }
  return { outcome: "failed", failure: context.failure ?? failures[orThrow(reason)] ?? null }
}

const failures: Partial<Record<CloseReason, Failure>> = {
  firstOutputTimeout: { kind: "timedOut", code: "FIRST_OUTPUT_TIMEOUT", retryable: false },
  idleTimeout: { kind: "timedOut", code: "IDLE_TIMEOUT", retryable: false },
  totalTimeout: { kind: "timedOut", code: "TOTAL_TIMEOUT", retryable: false },
  unattended: { kind: "host", code: "UNATTENDED", retryable: true },
  spoolLimit: { kind: "limit", code: "SPOOL_LIMIT", retryable: false },
  neverStarted: { kind: "transient", code: "NEVER_STARTED", retryable: true },
}

export const run = defineMachine({ name: "run", version: 1, inputs, effects, context, machine })
