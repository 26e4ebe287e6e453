/**
 * What a reader of a session gets, in order, each with the cursor behind it. Events of the log and of the spools
 * in one sequence: the same one for whoever reads, whenever, from whichever process.
 */
import { z } from "zod"
import type { Failure, FailureKind } from "../../machines/words.ts"
import { id, type NoticeCode, type TurnOutcome, type Usage } from "../../machines/words.ts"
import type { AgentEvent } from "../agent.ts"

/**
 * Where a reader stands; opaque to it, and the only thing it has to keep. `position` is an event of the log; with
 * a `run`, `offset` is a line of that run's spool; `index` counts what was read of that event or line.
 */
export const cursor = z.strictObject({
  position: z.int().nonnegative(),
  run: id.nullable(),
  offset: z.int().nonnegative(),
  index: z.int().nonnegative(),
})
/** See `cursor`; as one word, it is the `at` of an event. */
export type Cursor = z.infer<typeof cursor>

export const start: Cursor = { position: 0, run: null, offset: 0, index: 0 }

/** One word for command lines and headers: `position.offset.index.run`. */
export function formatCursor({ position, run, offset, index }: Cursor): string {
  return [position, offset, index, run ?? "-"].join(":")
}
export function parseCursor(text: string): Cursor | null {
  const [position, offset, index, ...run] = text.split(":")
  const number = (part: string | undefined) =>
    part !== undefined && /^\d{1,15}$/.test(part) ? Number(part) : NaN
  const named = run.join(":")
  const parsed = cursor.safeParse({
    position: number(position),
    offset: number(offset),
    index: number(index),
    run: named === "-" ? null : named,
  })
  return parsed.success ? parsed.data : null
}

export interface RunStarted {
  readonly type: "run.started"
  readonly agent: string
  readonly model: string
  /** The conversation it resumes, or null. */
  readonly resumes: string | null
}
export interface RunAdopted {
  readonly type: "run.adopted"
}
export interface TextFinal {
  readonly type: "text.final"
  /** The whole reply of the turn; it replaces what was streamed. */
  readonly text: string
}
/** The last event of a turn, exactly one: how it ended. */
export interface TurnSettled {
  readonly type: "turn.settled"
  /** `outcomeUnknown`: nobody can know, and the session waits for `resume`. */
  readonly outcome: TurnOutcome
  /** Kind, stable code, and whether the same may work later; null unless the turn failed. */
  readonly failure: Failure | null
  /** The failure in words for a person, which may quote the agent; null when there are none. */
  readonly explanation: string | null
  /** A success with a flaw: the kind of error that came along. */
  readonly degraded: FailureKind | null
  /** Whether the agent's conversation can take the next prompt; a broken one is begun afresh. */
  readonly conversation: "reusable" | "broken"
  /** It succeeded, and said nothing. */
  readonly emptyReply: boolean
  /** Tokens; null when unknown. */
  readonly usage: Usage | null
  /** Tool calls that were refused to the agent. */
  readonly deniedTools: number
  /** Pids of processes that could not be verified or ended. */
  readonly left: readonly number[]
}
export type Notice = { readonly type: "notice"; readonly code: NoticeCode; readonly count: number }

/** What a reader sees of a turn: the agent's own events, and what the host knows of it. */
export type TurnEvent = AgentEvent | RunStarted | RunAdopted | TextFinal | TurnSettled

/** An event with its place: in which session, turn and run it was, and the cursor behind it. */
export type Followed = TurnEvent & {
  readonly session: string
  readonly turn: string
  readonly run: string | null
  readonly cursor: Cursor
}
