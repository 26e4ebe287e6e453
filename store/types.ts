/**
 * The words of the store's front door: what is submitted, what is answered, what is read. Types only; how any
 * of it is stored is nobody's business outside this folder.
 */
import type { Input, MachineDefinition, RecoveryClass, Snapshot } from "../machines/kernel.ts"
import type { FailureKind, TurnOutcome, Usage } from "../machines/words.ts"

/** Who caused an input: a closed list, never a name. */
export const actors = ["user", "host", "agent"] as const
export type Actor = (typeof actors)[number]

/** Why an event is there: a command's id, the event that sent it, the effect or the timer it answers. */
export const causes = ["command", "event", "effect", "timer"] as const
export type Cause = (typeof causes)[number]

export interface Clock {
  /** Milliseconds since 1970; may jump. */
  readonly wall: () => number
  /** Milliseconds, never back, not counting suspension, comparable between the processes of one boot. */
  readonly awake: () => number
}

export type Definitions = Readonly<Record<string, MachineDefinition>>
/** Lifts a snapshot of an older machine version to the current one. */
export type Migrations = Readonly<Record<string, (snapshot: Snapshot, fromVersion: number) => Snapshot>>

/** A text kept outside the log; `digest` is `keyedDigest(session, bytes)`. */
export interface Text {
  readonly session: string
  readonly digest: string
  readonly bytes: Uint8Array
}

export interface Submission {
  readonly stream: string
  /** Stepped in order, all or none. */
  readonly inputs: readonly Input[]
  /** Makes the submission idempotent: the same id and content gets the first answer again. */
  readonly command?: { readonly id: string } | undefined
  /** Stored in the same transaction. */
  readonly texts?: readonly Text[] | undefined
  /** Id of the outbox row that ends with these inputs, its first outcome. */
  readonly effect?: string | undefined
  /** The timer that fired; its row goes in the same transaction. */
  readonly timer?: { readonly id: string; readonly generation: number } | undefined
  readonly actor: Actor
  /** Default: the command's id, or that of the event which asked for the effect or timer. */
  readonly correlation?: string | undefined
}

export interface Receipt {
  /** The command was accepted before; this is its first answer. */
  readonly duplicate: boolean
  /** The effect or timer had already ended; nothing was appended. */
  readonly stale: boolean
  /** Of the last event that the submission caused, in any stream. */
  readonly position: number
  /** Of the submission's own stream afterwards. */
  readonly version: number
  readonly state: string
}

/** Positions that became durable with one commit, both inclusive. Ranges are published in order, without gap. */
export interface CommitRange {
  readonly from: number
  readonly to: number
}

export interface EventRecord {
  readonly undecodable: false
  readonly position: number
  readonly stream: string
  readonly version: number
  readonly machine: string
  readonly machineVersion: number
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly from: string
  readonly to: string
  readonly ignored: boolean
  /** Milliseconds since 1970. */
  readonly at: number
  readonly awake: number
  readonly actor: Actor
  readonly correlation: string | null
  readonly cause: Cause | null
  readonly causation: string | null
  readonly epoch: number
  readonly prev: string
  readonly hash: string
}
/** A row that cannot be understood; its stream is of no use, everything else is. */
export interface Undecodable {
  readonly undecodable: true
  readonly position: number
  readonly stream: string
  readonly code: string
}

export interface SessionRow {
  readonly undecodable: false
  readonly session: string
  readonly agent: string
  readonly cwd: string
  readonly model: string
  readonly state: string
  readonly currentTurn: string | null
  readonly queued: number
  readonly conversation: string | null
  readonly createdAt: number
  readonly createdPosition: number
  readonly updatedAt: number
  readonly updatedPosition: number
}

export interface TurnRow {
  readonly undecodable: false
  readonly turn: string
  readonly session: string
  /** Place within its session, from 1. */
  readonly ordinal: number
  readonly state: string
  readonly runs: number
  readonly outcome: TurnOutcome | null
  readonly failure: { readonly kind: FailureKind; readonly code: string; readonly retryable: boolean } | null
  readonly degraded: FailureKind | null
  /** Null where no number at all is known. */
  readonly usage: Usage | null
  readonly reply: { readonly digest: string; readonly bytes: number } | null
  readonly createdAt: number
  readonly createdPosition: number
  readonly settledAt: number | null
  readonly settledPosition: number | null
}

export interface OutboxRow {
  readonly undecodable: false
  /** `stream/version/index`, the same after every replay. */
  readonly id: string
  readonly stream: string
  readonly version: number
  readonly index: number
  readonly session: string
  readonly kind: string
  readonly class: RecoveryClass
  readonly params: Readonly<Record<string, unknown>>
  readonly correlation: string | null
  readonly position: number
  readonly at: number
}

export interface TimerRow {
  readonly stream: string
  readonly session: string
  readonly id: string
  /** Version of the event that armed it: grows with every re-arming. */
  readonly generation: number
  readonly clock: "awake" | "wall"
  readonly afterMs: number
  readonly armedPosition: number
  /** Wall and awake clock when it was armed. */
  readonly armedAt: number
  readonly armedAwake: number
}

export interface Head {
  readonly position: number
  readonly hash: string
}

export interface QuarantinedStream {
  readonly stream: string
  readonly position: number
  readonly reason: string
}
