/**
 * Faults to plant, each a mistake that somebody could make, with the invariant that it must break and the smallest
 * way of things going wrong in which it does. The correct model has none of them.
 */
import { assign } from "xstate"
import { run } from "../../machines/index.ts"
import { actionsAre, guardSays, rowGone } from "../machines/faults.ts"
import { type Config, config, type Fault, type Harmless } from "./config.ts"

export interface Planted {
  readonly breaks: string
  readonly in: Config
}

const hostDies = { crashes: 1, hostCrash: 1 }
const launcherDies = { crashes: 1, launcherCrash: 1 }
const powerGoes = { crashes: 1, powerLoss: 1 }
const interrupted = { interrupts: 1 }
const obstacleAndPower = { obstacle: 1, crashes: 2, hostCrash: 1, powerLoss: 1 }
const shortest: Pick<Config, "script"> = { script: ["terminal"] }

/** Mistakes of hosts and launchers. They act where the model names them. */
export const faults: Readonly<Record<Fault, Planted>> = {
  /** The claim is a rename: the last one wins, and everybody goes on. */
  claimNotExclusive: { breaks: "I8", in: config(hostDies) },
  /** A host that decides not to start leaves the folder as it is. */
  missingTombstone: { breaks: "I8", in: config(interrupted) },
  /** The tombstone came too late, and the run is closed all the same. */
  claimLostIgnored: { breaks: "I9", in: config(interrupted) },
  /** After a crash the launcher is started again without a look at the folder. */
  launchRepeatedAfterCrash: { breaks: "I8", in: config(powerGoes) },
  /** The launcher is started before the log says so. */
  spawningNotLogged: { breaks: "I8", in: config(powerGoes) },
  /** No claim after a power cut is taken for a prompt that was never delivered. */
  bootRuleIgnored: { breaks: "I8", in: config(powerGoes) },
  /** No `agent` after a power cut is taken for a program that was never started. */
  agentFileTrusted: { breaks: "I8", in: config(powerGoes) },
  /** A run is called never started while the shell that becomes its agent still goes on. */
  orphanForgotten: { breaks: "I8", in: config(launcherDies) },
  /** The launcher in the outbox is started although an abort came in between. */
  launchAfterAbort: { breaks: "I12", in: config(interrupted) },
  /** The next turn begins when the result is seen, not when everything is dead. */
  nextTurnEarly: { breaks: "I12", in: config({}, { turns: 2 }) },
  /** Timers are armed, and answered from what was read before, while the spool is still unread. */
  timersBeforeSpool: { breaks: "I10", in: config(hostDies, { timers: ["firstOutput"] }) },
  /** A run that was to be tombstoned is adopted without a look at its spool. */
  tombstoningSpoolUnread: { breaks: "I10", in: config({ ...powerGoes, ...interrupted }) },
  /** `exit` is created first and filled when the agent ends. */
  exitNotAtomic: { breaks: "I10", in: config({}) },
  /** The end of a run does not read what the agent wrote last. */
  endWithoutSpool: { breaks: "I10", in: config(interrupted) },
  /** The launcher's identity is the pid that the spawn returned. */
  pidFromSpawn: { breaks: "I10", in: config(hostDies) },
  /** A signal goes to a pid that was looked up earlier. */
  unverifiedSignal: {
    breaks: "I11",
    in: config({ ...interrupted, pidReuse: 1, crashes: 1, agentCrash: 1 }),
  },
  /** The end is reported before the processes are ended. */
  settledBeforeDead: { breaks: "I9", in: config({}) },
  /** A host that sees `exit` settles the turn by itself. */
  secondTerminal: { breaks: "I3", in: config({}) },
  /** A cancelled timer fires. */
  staleTimer: {
    breaks: "I22",
    in: config({ crashes: 2, hostCrash: 2 }, { timers: ["elsewhere"], namespaces: true }),
  },
  /** A host that lost the ownership still appends. */
  noEpochFence: { breaks: "I35", in: config({ takeover: 1 }) },
  /** A process that nobody reaped counts as alive. */
  zombieTakenForAlive: { breaks: "liveness", in: config({ crashes: 2, launcherCrash: 1, agentCrash: 1 }) },
}

/** Mistakes in the table of the run machine: rows and guards that somebody could think are not needed. */
export const tableFaults: Readonly<Record<string, Planted>> = {
  /** A refused run is closed without a tombstone, although a launcher was asked for earlier. */
  refusedWithoutTombstone: {
    breaks: "I9",
    in: config({ ...hostDies, obstacle: 2 }, { ...shortest, run: rowGone("preparing", "refused", 0)(run) }),
  },
  /** A run that was spawning before the power went begins again from the start. */
  bootForgotten: {
    breaks: "I8",
    in: config(obstacleAndPower, { ...shortest, run: rowGone("preparing", "prepared", 0)(run) }),
  },
  /** A refused run whose claim may be lost is closed without a look at its spool. */
  refusedSpoolUnread: {
    breaks: "I10",
    in: config(
      { ...obstacleAndPower, obstacle: 2 },
      { ...shortest, run: guardSays("undecided", false)(run) },
    ),
  },
  /** The tombstone of a launch that failed is taken for that of an abort. */
  tombstoneTakenForAbort: {
    breaks: "truth",
    in: config(launcherDies, {
      run: actionsAre("spawning", "found", 2, [assign({ reason: "abort" })])(run),
    }),
  },
}

/** Orders that look like faults, and that the machines were built to bear. */
export const harmless: Readonly<Record<Harmless, Config>> = {
  /** The folder is read after the spool, so an `exit` may have come with lines that were not read. */
  folderReadAfterSpool: config({ crashes: 1, hostCrash: 1, agentCrash: 1, interrupts: 1 }),
}
