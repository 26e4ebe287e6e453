/**
 * The closed lists and small schemas that machines, log, adapters and readers share: one word for one thing.
 * Nothing here decides anything, and nothing here may hold text of a prompt, a reply, a tool or an error.
 */
import { z } from "zod"

/** Ids are opaque, non-empty, printable and short, so that they can be file names and log fields as they are. */
export const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
/** Id of a session; also the name of a folder. */
export const sessionId = id.brand<"SessionId">()
/** Id of a turn. */
export const turnId = id.brand<"TurnId">()
/** Id of a run: its turn's id, a dot, its number from 1. Also the name of a folder. */
export const runId = id.brand<"RunId">()
/** See `sessionId`. */
export type SessionId = z.infer<typeof sessionId>
/** See `turnId`. */
export type TurnId = z.infer<typeof turnId>
/** See `runId`. */
export type RunId = z.infer<typeof runId>

/** The agent's own conversation id: opaque to us, whatever it contains. */
export const conversationId = z.string().min(1).max(256)
/** An HMAC-SHA-256 under the session's key, or a SHA-256 of something that is no secret: lower-case hex. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/)

/** Why a turn failed, coarse enough to act on. */
export const failureKind = z.enum([
  "auth", // log in, or set the key
  "config", // the request cannot work as it is: model, flags, cwd, trust
  "binary", // the program is missing or does not run
  "rateLimited", // the service asks to wait
  "quota", // the account has used up what it had
  "overloaded", // the service has no capacity
  "modelUnavailable", // this model cannot be had, another one may
  "network", // no connection to the service
  "transient", // nothing was done; the same again may work
  "resumeLost", // the conversation to resume is gone
  "busy", // another process holds the conversation
  "context", // the conversation or prompt is too long for the model
  "timedOut", // one of our limits
  "noOutput", // it ended well and said nothing
  "agent", // the agent reported an error of its own
  "crashed", // it ended by a signal or without saying how
  "limit", // one of our size limits
  "host", // our side could not do its part
])
/** One of `failureKind`. */
export type FailureKind = z.infer<typeof failureKind>

/** Why something failed, for programs. No prose: what a person reads of it is a text of its own. */
export const failure = z.strictObject({
  kind: failureKind,
  /** Stable and upper-case, one per cause, e.g. `AUTH_REQUIRED`. */
  code: z.string().regex(/^[A-Z][A-Z0-9_]{2,63}$/),
  /** The same prompt may succeed later without anybody changing anything. */
  retryable: z.boolean(),
})
/** See `failure`. */
export type Failure = z.infer<typeof failure>

/** Tokens of one invocation. Unknown is null, never 0. */
export const usage = z.strictObject({
  inputTokens: z.int().nonnegative().nullable(),
  outputTokens: z.int().nonnegative().nullable(),
  cacheReadTokens: z.int().nonnegative().nullable(),
  cacheWriteTokens: z.int().nonnegative().nullable(),
})
/** See `usage`. */
export type Usage = z.infer<typeof usage>

/** How one run ended, as its adapter judges it. Everything in it may be logged. */
export const verdict = z.strictObject({
  outcome: z.enum(["succeeded", "failed"]),
  failure: failure.nullable(),
  /** A success with a flaw: the category of the error that came along with a full reply. */
  degraded: failureKind.nullable(),
  /** Succeeded, and said nothing. */
  emptyReply: z.boolean(),
  /** Whether the agent's conversation can take the next prompt. */
  conversation: z.enum(["reusable", "broken"]),
  usage: usage.nullable(),
  /** What the whole conversation has used by now, where the agent counts so; null when it does not, or did not say. */
  conversationUsage: usage.nullable().default(null),
  /** Tool calls that were refused to the agent. */
  deniedTools: z.int().nonnegative(),
  /** Lines whose type the adapter did not know. */
  unknownLines: z.int().nonnegative(),
})
/** See `verdict`. */
export type Verdict = z.infer<typeof verdict>

/** How a turn can end; `outcomeUnknown` is for a person to look at. */
export const turnOutcome = z.enum(["succeeded", "failed", "interrupted", "outcomeUnknown"])
/** One of `turnOutcome`. */
export type TurnOutcome = z.infer<typeof turnOutcome>
/** A turn's terminal states are named as its outcomes are. */
export const isSettled = (turnState: string): boolean => turnOutcome.safeParse(turnState).success

/** Things worth telling that end nothing. */
export const noticeCode = z.enum([
  "lineTooLong",
  "spoolTruncated",
  "spoolExpired",
  "unknownLines",
  "notJson",
  "agentReconnecting",
  "agentRetrying",
  "resumeLost",
  "historyLost",
  "processLeft",
  "replyTruncated",
  "toolsDenied",
  "backgroundWorkStopped",
  "agentWarning",
])
/** One of `noticeCode`. */
export type NoticeCode = z.infer<typeof noticeCode>

/** Why nothing is spawned for a turn although it is due (I36). */
export const blockReason = z.enum([
  "adapterMissing",
  "keyMissing",
  "binaryMissing",
  "cwdMissing",
  "toolsMissing",
])
/** One of `blockReason`. */
export type BlockReason = z.infer<typeof blockReason>

/** Which process is meant, for as long as pids are reused: one service makes and judges these. */
export const processIdentity = z.strictObject({
  pid: z.int().positive(),
  /** Start time as the kernel gives it: clock ticks since boot (Linux), a date to the second (elsewhere). */
  start: z.string().max(64),
  boot: z.string().max(64),
  /** PID namespace, or "" where there is none. */
  namespace: z.string().max(64),
  host: z.string().max(255),
})
/** See `processIdentity`. */
export type ProcessIdentity = z.infer<typeof processIdentity>

/** A reply kept in the store: its keyed digest and length. */
export const textReference = z.strictObject({ digest, bytes: z.int().nonnegative() })
/** See `textReference`. */
export type TextReference = z.infer<typeof textReference>

/** Digests of the texts that an input names: a `prompt`, and every reference. Total, whatever it is given. */
export function textsNamedIn(data: unknown): readonly string[] {
  if (typeof data !== "object" || data === null) return []
  const reference = textReference.safeParse(data)
  if (reference.success) return [reference.data.digest]
  const prompt = "prompt" in data ? digest.safeParse(data.prompt) : null
  return [...(prompt?.success ? [prompt.data] : []), ...Object.values(data).flatMap(textsNamedIn)]
}

/** Why a run is over. */
export const closeReason = z.enum([
  "turnEnd", // the terminal line was seen
  "exited", // the process ended by itself without one
  "abort", // interrupted
  "firstOutputTimeout",
  "idleTimeout",
  "totalTimeout",
  "unattended", // the launcher ended it: no host for too long
  "spoolLimit", // the launcher ended it: it printed too much
  "vanished", // dead, and nobody knows how
  "neverStarted", // claimed, and the program did not start
  "notDelivered", // the claim, if any, was lost with the power
  "refused", // an obstacle before the spawn
  "elsewhere", // alive where we cannot judge it, for too long
])
/** One of `closeReason`. */
export type CloseReason = z.infer<typeof closeReason>

/** Bounds of one run, in milliseconds and bytes; part of a session, so that a replay knows them. */
export const runLimits = z.strictObject({
  /** From the start to the first byte on stdout. */
  firstOutputMs: z.int().positive(),
  /** Between two bytes, with no tool call open. */
  idleMs: z.int().positive(),
  /** Between two bytes, while a tool call is open. */
  toolIdleMs: z.int().positive(),
  /** From the start to the end. */
  totalMs: z.int().positive(),
  /** From the terminal line to the signal. */
  resultGraceMs: z.int().nonnegative(),
  /** From one signal to the next stronger one. */
  signalGraceMs: z.int().nonnegative(),
  /** How long the launcher lets the agent run while no host lives. */
  unattendedMs: z.int().positive(),
  /** stdout and stderr together. */
  maxSpoolBytes: z.int().positive(),
})
/** See `runLimits`. */
export type RunLimits = z.infer<typeof runLimits>

/** The names of the streams of the log: machine, colon, id. */
export const streamOf = {
  session: (session: string) => `session:${session}`,
  turn: (turn: string) => `turn:${turn}`,
  run: (run: string) => `run:${run}`,
} as const

/** The id behind a stream's name. */
export const idOf = (stream: string): string => stream.slice(stream.indexOf(":") + 1)
/** The machine behind a stream's name. */
export const machineOf = (stream: string): string => stream.slice(0, stream.indexOf(":"))

/** A run's id follows from its turn's and its number, so that a replay asks for the same one. */
export const runIdOf = (turn: string, number: number): string => `${turn}.${number}`
/** The turn that a run's id was made for. */
export const turnIdOf = (run: string): string => run.replace(/\.\d+$/, "")
