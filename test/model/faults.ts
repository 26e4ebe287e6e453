/**
 * Faults to plant, each a mistake that somebody could make, with the invariant that it must break. The places
 * where they act are marked by their names; the correct model has none of them.
 */
import { type Config, config, type Fault, type Harmless } from "./config.ts"

export const faults: Readonly<Record<Fault, { readonly breaks: string; readonly in: Config }>> = {
  /** The claim is a rename: the last one wins, and everybody goes on. */
  claimNotExclusive: { breaks: "I8", in: config({ crashes: 1, hostCrash: 1 }) },
  /** A host that decides not to start leaves the folder as it is. */
  missingTombstone: { breaks: "I8", in: config({ interrupts: 1 }) },
  /** The tombstone came too late, and the run is closed all the same. */
  claimLostIgnored: { breaks: "I9", in: config({ interrupts: 1 }) },
  /** After a crash the launcher is started again without a look at the folder. */
  launchRepeatedAfterCrash: { breaks: "I8", in: config({ crashes: 1, powerLoss: 1 }) },
  /** The launcher is started before the log says so. */
  spawningNotLogged: { breaks: "I8", in: config({ crashes: 1, powerLoss: 1 }) },
  /** No claim after a power cut is taken for a prompt that was never delivered. */
  bootRuleIgnored: { breaks: "I8", in: config({ crashes: 1, powerLoss: 1 }) },
  /** The launcher in the outbox is started although an abort came in between. */
  launchAfterAbort: { breaks: "I12", in: config({ interrupts: 1 }) },
  /** The next turn begins when the result is seen, not when everything is dead. */
  nextTurnEarly: { breaks: "I12", in: config({}, { turns: 2 }) },
  /** Timers are armed, and answered from what was read before, while the spool is still unread. */
  timersBeforeSpool: { breaks: "I10", in: config({ crashes: 1, hostCrash: 1 }, { timers: ["firstOutput"] }) },
  /** `exit` is created first and filled when the agent ends. */
  exitNotAtomic: { breaks: "I10", in: config({}) },
  /** The end of a run does not read what the agent wrote last. */
  endWithoutSpool: { breaks: "I10", in: config({ interrupts: 1 }) },
  /** The launcher's identity is the pid that the spawn returned. */
  pidFromSpawn: { breaks: "I10", in: config({ crashes: 1, hostCrash: 1 }) },
  /** A signal goes to a pid that was looked up earlier. */
  unverifiedSignal: { breaks: "I11", in: config({ interrupts: 1, pidReuse: 1, agentCrash: 1, crashes: 1 }) },
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

export const harmless: Readonly<Record<Harmless, Config>> = {
  /** The folder is read after the spool, so an `exit` may have come with lines that were not read. */
  folderReadAfterSpool: config({ crashes: 1, hostCrash: 1, agentCrash: 1, interrupts: 1 }),
}
