/**
 * What a run hears, asks for and remembers: the schemas of its inputs, its effect requests and its context.
 * Nothing here decides anything; the table is in `run.ts`, and what it computes in `run-answers.ts`.
 */
import { z } from "zod"
import { found } from "./folder-table.ts"
import { effect, type InputOf, observation, timerInput } from "./kernel.ts"
import {
  blockReason,
  closeReason,
  conversationId,
  digest,
  failure,
  noticeCode,
  processIdentity,
  runId,
  runLimits,
  sessionId,
  textReference,
  turnId,
  usage,
  verdict,
} from "./words.ts"

/** Tool calls that may be open at once; a further one is seen, and not waited for. */
export const maxOpenTools = 64

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
  usageBefore: usage.nullable().default(null),
})

/** The timers that ask how long it has been silent, and act only on the answer. */
export const watchdog = z.enum(["firstOutput", "idle", "total"])

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
  explanation: textReference.nullable(),
})

export const context = z.strictObject({
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
  /** What stood in the way, in words for a person. */
  explanation: textReference.nullable(),
  conclusion: conclusion.nullable(),
  left: z.array(z.int()),
})
export type Context = z.infer<typeof context>

const cursor = z.int().nonnegative()

export const inputs = {
  requested: observation(about),
  retry: observation(z.strictObject({})),
  interrupt: observation(z.strictObject({})),

  prepared: observation(z.strictObject({ boot: z.string().max(64) })),
  blocked: observation(z.strictObject({ reason: blockReason })),
  refused: observation(z.strictObject({ failure, explanation: textReference.nullable() })),
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
      timer: watchdog,
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
export type Inputs = InputOf<typeof inputs>
export type On<T extends Inputs["type"]> = { context: Context; event: Extract<Inputs, { type: T }> }
export type In = { context: Context }

const ofRun = z.strictObject({ run: runId })
export const effects = {
  /** Find binary, key and cwd; write prompt and spec. Ends: prepared, blocked, refused. */
  prepare: effect("repeatable", ofRun),
  /** Start the launcher. Ends: launched, launchFailed, blocked; after a crash: found. */
  launch: effect("adoptable", ofRun),
  /** Claim by host, so that no launcher ever will. Ends: tombstoned, claimLost. */
  tombstone: effect("repeatable", ofRun),
  /** Look at the spool now. Ends: probed. */
  probe: effect("repeatable", ofRun.extend({ timer: watchdog })),
  /** End every process of the run, read the spool to its end. Ends: ended. */
  end: effect("repeatable", ofRun.extend({ mode: z.enum(["afterResult", "interrupt", "sweep"]) })),
}
