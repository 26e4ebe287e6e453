/**
 * One state of the model: what is durable (the log, the run folders), who lives (hosts, launchers, agents), what
 * a user did, what may still go wrong, and the little history that the properties need. Plain data only; no
 * move is made here.
 */
import type { Found, ProcessIdentity, Snapshot, TurnOutcome } from "../../machines/index.ts"
import { session } from "../../machines/index.ts"
import type { Budget, Config, Line } from "./config.ts"
import type { Violation } from "./explore.ts"
import { stepped } from "./stepped.ts"

export type HostName = "A" | "B"

/** An effect request in the outbox. */
export interface Row {
  readonly run: string
  readonly kind: string
  readonly params: Readonly<Record<string, unknown>>
}
export interface Timer {
  readonly run: string
  readonly id: string
}

export interface Log {
  readonly streams: Readonly<Record<string, Snapshot>>
  readonly outbox: readonly Row[]
  readonly timers: readonly Timer[]
}

/** How far a host is with one effect: its volatile part, gone with the host. */
export type Progress =
  | { readonly at: "taken" | "promptWritten" | "specWritten" | "spawned" | "spawnFailed" }
  | { readonly at: "claimTried"; readonly claim: "tombstoned" | "lost" }
  | { readonly at: "probed"; readonly lines: number; readonly silent: boolean }
  /** The next process to signal. */
  | { readonly at: "aimed"; readonly target: ProcessIdentity }
  /** Nobody is left; the spool was read, and the folder once more. */
  | {
      readonly at: "drained"
      readonly lines: readonly Line[]
      readonly seen: Found
      readonly left: readonly number[]
    }

export interface Host {
  readonly name: HostName
  readonly phase: "adopting" | "live"
  /** The folder was judged while adopting. */
  readonly judged: boolean
  /** A reading of the folder, waiting until the spool is read to its end. */
  readonly seen: Found | null
  readonly effect: { readonly row: Row; readonly progress: Progress } | null
  /** The launcher that it started and waits for; `tombstoned` when that is gone and nobody shall claim any more. */
  readonly started: { readonly pid: number; readonly tombstoned: boolean } | null
}

export interface Launcher {
  readonly id: ProcessIdentity
  readonly at: "started" | "claimed" | "waiting" | "done"
  /** Its watchdog is ending the agent. */
  readonly ending: boolean
}
export interface Agent {
  readonly id: ProcessIdentity
  readonly parent: number
  readonly at: "starting" | "published" | "running"
  readonly wrote: number
}

/** One run outside the log: its folder, its spool, its live processes. */
export interface Run {
  readonly folder: Snapshot
  readonly spool: readonly Line[]
  readonly launchers: readonly Launcher[]
  readonly agents: readonly Agent[]
  /** Launchers ever spawned, and how the last agent ended. */
  readonly spawns: number
  readonly status: number
}

/** What the properties remember of a turn. */
export interface Past {
  readonly outcomes: readonly TurnOutcome[]
  /** Times that its prompt reached an agent. */
  readonly delivered: number
  /** Somebody asked for its interruption. */
  readonly interrupted: boolean
}

export interface World {
  readonly log: Log
  readonly runs: Readonly<Record<string, Run>>
  /** Holds the ownership; and one that lost it and does not know yet. */
  readonly owner: Host | null
  readonly deposed: Host | null
  readonly nextHost: HostName
  readonly boot: number
  /** The pid that a stranger has. */
  readonly stranger: number | null
  readonly sent: number
  readonly left: Budget
  readonly past: Readonly<Record<string, Past>>
  /** The first violation of each invariant. */
  readonly broken: readonly Violation[]
}

export const sessionStream = "session:s"
export const turnIds = ["t1", "t2"] as const
export const digest = "0".repeat(64)
export const limits = {
  firstOutputMs: 1,
  idleMs: 1,
  toolIdleMs: 1,
  totalMs: 1,
  resultGraceMs: 1,
  signalGraceMs: 1,
  unattendedMs: 1,
  maxSpoolBytes: 1,
}

export function initialWorld(config: Config): World {
  const launch = { type: "launch", session: "s", agent: "cursor", cwd: "/w", model: "auto", limits }
  const launched = stepped(session, null, launch)
  if (launched.rejected) throw new Error(launched.code)
  return {
    log: { streams: { [sessionStream]: launched.snapshot }, outbox: [], timers: [] },
    runs: {},
    owner: null,
    deposed: null,
    nextHost: "A",
    boot: 0,
    stranger: null,
    sent: 0,
    left: config.budget,
    past: {},
    broken: [],
  }
}
