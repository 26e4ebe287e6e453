/**
 * What is known of a sequence when it is over, all of it from outside: what was asked and answered, what was heard,
 * the agent's own journal, the log as a reader sees it, the spools, and /proc. Data only: the judge takes it as it is.
 */
import type { JournalEntry } from "../../../adapters/rehearsal/index.ts"
import type { EventRecord } from "../../../store/types.ts"
import type { Seen } from "../fixtures/words.ts"
import type { Prompt } from "./behaviours.ts"

/** One prompt, as it was sent once. */
export interface Sent {
  readonly session: string
  /** The id under which it was sent, or null. */
  readonly id: string | null
  readonly prompt: Prompt
  /** The turn that it was to be; null: its host died before it said so. */
  readonly turn: string | null
  readonly answer: "accepted" | "died" | { readonly refused: string }
}

/** A turn as its row and its texts say in the end, or before its session was erased. */
export interface Ended {
  readonly session: string
  readonly turn: string
  readonly outcome: string | null
  readonly text: string | null
  readonly left: readonly number[]
}

export interface Evidence {
  readonly sent: readonly Sent[]
  readonly journal: readonly JournalEntry[]
  readonly log: readonly EventRecord[]
  /** What `verify` found. */
  readonly problems: readonly string[]
  readonly ended: readonly Ended[]
  /** By session: what its subscriber got, which went on by cursor after every end of a host. */
  readonly heard: Readonly<Record<string, readonly Seen[]>>
  /** By session: what somebody gets who reads it from the beginning when all is over, or before it was erased. */
  readonly whole: Readonly<Record<string, readonly Seen[]>>
  /** By run: what the agent left in its stdout; erased ones as they were before. */
  readonly spools: Readonly<Record<string, string>>
  /** What `turn.result` gave. */
  readonly told: readonly { readonly turn: string; readonly outcome: string; readonly text: string | null }[]
  /** Listeners and waits that ended by themselves. */
  readonly broken: readonly string[]
  /** Answers that are no refusals: an error without a code, or one that only a fault of ours explains. */
  readonly defects: readonly string[]
  /** Live processes of a turn at the moment that it was told to be over. */
  readonly lingering: readonly { readonly turn: string; readonly pids: readonly number[] }[]
  /** Live processes when the last host was closed in order. */
  readonly alive: readonly { readonly pid: number; readonly run: string }[]
  readonly erased: readonly string[]
  /** Texts of erased sessions that a file of the state folder still holds. */
  readonly remains: readonly { readonly session: string; readonly file: string }[]
}
