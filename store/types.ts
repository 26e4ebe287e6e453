/**
 * The words of the store's front door: what is submitted, what is answered, what is read. Types only; how any
 * of it is stored is nobody's business outside this folder.
 */
import type { Input, MachineDefinition, RecoveryClass, Snapshot } from "../machines/kernel.ts"
import type { FailureKind, TurnOutcome, Usage } from "../machines/words.ts"

/** Who caused an input: a closed list, never a name. */
export const actors = ["user", "host", "agent"] as const
/** One of `actors`. */
export type Actor = (typeof actors)[number]

/** Why an event is there: a command's id, the event that sent it, the effect or the timer it answers. */
export const causes = ["command", "event", "effect", "timer"] as const
/** One of `causes`. */
export type Cause = (typeof causes)[number]

/** A host's two clocks. */
export interface Clock {
  /** Milliseconds since 1970; may jump. */
  readonly wall: () => number
  /** Milliseconds, never back, not counting suspension, comparable between the processes of one boot. */
  readonly awake: () => number
}

/** The machines of the log, by name. */
export type Definitions = Readonly<Record<string, MachineDefinition>>
/** Lifts a snapshot of an older machine version to the current one. */
export type Migrations = Readonly<Record<string, (snapshot: Snapshot, fromVersion: number) => Snapshot>>

/** A text kept outside the log; `digest` is `keyedDigest(session, bytes)`. */
export interface Text {
  /** The session it belongs to, and is erased with. */
  readonly session: string
  /** What events name it by: lower-case hex. */
  readonly digest: string
  /** The text itself, UTF-8. */
  readonly bytes: Uint8Array
}

/** Inputs for one stream, with the reason why they happen: at most one of command, effect and timer. */
export interface Submission {
  /** Its name, e.g. `session:s1`. */
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
  /** Who caused them. */
  readonly actor: Actor
  /** Default: the command's id, or that of the event which asked for the effect or timer. */
  readonly correlation?: string | undefined
}

/** What a submission came to; durable. */
export interface Receipt {
  /** The command was accepted before; this is its first answer. */
  readonly duplicate: boolean
  /** The effect or timer had already ended; nothing was appended. */
  readonly stale: boolean
  /** Of the last event that the submission caused, in any stream. */
  readonly position: number
  /** Of the submission's own stream afterwards. */
  readonly version: number
  /** Name of the stream's state afterwards. */
  readonly state: string
}

/** Positions that became durable with one commit, both inclusive. Ranges are published in order, without gap. */
export interface CommitRange {
  /** First position. */
  readonly from: number
  /** Last position. */
  readonly to: number
}

/** One event of the log: one transition of one stream. */
export interface EventRecord {
  readonly undecodable: false
  /** Global, growing, from 1. */
  readonly position: number
  /** Name of its stream. */
  readonly stream: string
  /** Within its stream, from 1, without gap. */
  readonly version: number
  /** Name of the machine that stepped it. */
  readonly machine: string
  /** The machine's version then. */
  readonly machineVersion: number
  /** Type of the input. */
  readonly type: string
  /** The input without its type: ids, numbers, codes, digests; never a text. */
  readonly data: Readonly<Record<string, unknown>>
  /** State before. */
  readonly from: string
  /** State afterwards. */
  readonly to: string
  /** An observation that changed nothing. */
  readonly ignored: boolean
  /** Milliseconds since 1970. */
  readonly at: number
  /** Milliseconds of the awake clock; comparable within one boot only. */
  readonly awake: number
  /** Who caused it. */
  readonly actor: Actor
  /** What it belongs to, e.g. the id of the command that began it all. */
  readonly correlation: string | null
  /** What kind of thing `causation` names; null when nothing of ours did. */
  readonly cause: Cause | null
  /** Id of the command, event, effect or timer. */
  readonly causation: string | null
  /** The owner's epoch with which it was appended. */
  readonly epoch: number
  /** Hash of the event before, 64 times `0` for the first. */
  readonly prev: string
  /** SHA-256 over every column of the row and `prev`; lower-case hex. */
  readonly hash: string
}
/** A row that cannot be understood; its stream is of no use, everything else is. */
export interface Undecodable {
  readonly undecodable: true
  /** Its place: of the event, or of the last event behind the row. */
  readonly position: number
  /** Name of the stream that cannot be used. */
  readonly stream: string
  /** What is wrong with it; stable. */
  readonly code: string
}

/** A session as it stands. */
export interface SessionRow {
  readonly undecodable: false
  /** Its id. */
  readonly session: string
  /** Name of its agent. */
  readonly agent: string
  /** Physical path of the folder it works in. */
  readonly cwd: string
  /** The model it asks for. */
  readonly model: string
  /** Name of its machine's state, e.g. `ready`, `busy`, `paused`. */
  readonly state: string
  /** Id of the turn under way; null when there is none. */
  readonly currentTurn: string | null
  /** Turns that wait behind it. */
  readonly queued: number
  /** The agent's own conversation id; null before it said one. */
  readonly conversation: string | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Position of its first event. */
  readonly createdPosition: number
  /** Milliseconds since 1970. */
  readonly updatedAt: number
  /** Position of its latest event. */
  readonly updatedPosition: number
}

/** A turn as it stands. */
export interface TurnRow {
  readonly undecodable: false
  /** Its id. */
  readonly turn: string
  /** Id of its session. */
  readonly session: string
  /** Place within its session, from 1. */
  readonly ordinal: number
  /** Name of its machine's state; once it has settled, its outcome. */
  readonly state: string
  /** Runs it has had so far. */
  readonly runs: number
  /** Null until it has settled. */
  readonly outcome: TurnOutcome | null
  /** Null unless it failed. */
  readonly failure: { readonly kind: FailureKind; readonly code: string; readonly retryable: boolean } | null
  /** A success with a flaw: the kind of error that came along. */
  readonly degraded: FailureKind | null
  /** Null where no number at all is known. */
  readonly usage: Usage | null
  /** What names its reply among the texts; null when there is none. */
  readonly reply: { readonly digest: string; readonly bytes: number } | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Position of its first event. */
  readonly createdPosition: number
  /** Milliseconds since 1970; null until it has settled. */
  readonly settledAt: number | null
  /** Position of the event that settled it; null until then. */
  readonly settledPosition: number | null
}

/** An effect that was asked for and has no outcome yet. */
export interface OutboxRow {
  readonly undecodable: false
  /** `stream/version/index`, the same after every replay. */
  readonly id: string
  /** The stream whose step asked for it. */
  readonly stream: string
  /** Version of the event that asked for it. */
  readonly version: number
  /** Its place among the effects of that event, from 0. */
  readonly index: number
  /** Id of the session it belongs to. */
  readonly session: string
  /** Its name among the machine's effects. */
  readonly kind: string
  /** What becomes of it after a crash. */
  readonly class: RecoveryClass
  /** Its parameters: ids and numbers, never a secret. */
  readonly params: Readonly<Record<string, unknown>>
  /** Inherited from the event that asked for it. */
  readonly correlation: string | null
  /** Position of that event. */
  readonly position: number
  /** Time of that event, milliseconds since 1970. */
  readonly at: number
}

/** A timer that is armed. */
export interface TimerRow {
  /** The stream that gets the `timer` input. */
  readonly stream: string
  /** Id of the session it belongs to. */
  readonly session: string
  /** Its name within its stream. */
  readonly id: string
  /** Version of the event that armed it: grows with every re-arming. */
  readonly generation: number
  /** `awake` does not count the time that the machine slept. */
  readonly clock: "awake" | "wall"
  /** From its arming to its firing. */
  readonly afterMs: number
  /** Position of the event that armed it. */
  readonly armedPosition: number
  /** Wall and awake clock when it was armed. */
  readonly armedAt: number
  /** Milliseconds of the awake clock. */
  readonly armedAwake: number
}

/** The last event of a log, by which a tail that was cut off shows. */
export interface Head {
  /** 0: the log is empty. */
  readonly position: number
  /** Of that event; lower-case hex. */
  readonly hash: string
}

/** A stream that cannot be used. */
export interface QuarantinedStream {
  /** Its name. */
  readonly stream: string
  /** Position of the event that cannot be used. */
  readonly position: number
  /** A stable code. */
  readonly reason: string
}
