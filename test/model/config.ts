/**
 * What one exploration is about: how much may go wrong, and which faults are planted. Numbers are budgets, so
 * that the search ends; nothing here is a probability.
 */
import { type MachineDefinition, run } from "../../machines/index.ts"

/** Names of the faults that can be planted; `faults.ts` says what each is and what it must break. */
export const faultNames = [
  "claimNotExclusive",
  "missingTombstone",
  "claimLostIgnored",
  "launchRepeatedAfterCrash",
  "spawningNotLogged",
  "bootRuleIgnored",
  "launchAfterAbort",
  "nextTurnEarly",
  "timersBeforeSpool",
  "exitNotAtomic",
  "endWithoutSpool",
  "pidFromSpawn",
  "unverifiedSignal",
  "settledBeforeDead",
  "secondTerminal",
  "staleTimer",
  "noEpochFence",
  "zombieTakenForAlive",
  "agentFileTrusted",
  "tombstoningSpoolUnread",
  "orphanForgotten",
] as const
export type Fault = (typeof faultNames)[number]
/** Orders that look like faults, and that the machines were built to bear. */
export const harmlessNames = ["folderReadAfterSpool"] as const
export type Harmless = (typeof harmlessNames)[number]

export type Line = "identified" | "text" | "terminal"

/** How often each may happen on one way through the model. */
export interface Budget {
  /** Crashes of all kinds together: hosts, launcher, agent, power. */
  readonly crashes: number
  readonly hostCrash: number
  readonly launcherCrash: number
  /** The agent ends before its terminal line. */
  readonly agentCrash: number
  readonly powerLoss: number
  /** A second host takes over from one that still lives. */
  readonly takeover: number
  /** A stranger gets the pid of a dead process of ours. */
  readonly pidReuse: number
  /** Binary, key or cwd are missing; the spawn fails; the program cannot be executed. */
  readonly obstacle: number
  /** The launcher ends a run without an owner. */
  readonly unattended: number
  /** Interrupts by the user. */
  readonly interrupts: number
}

export interface Config {
  readonly turns: 1 | 2
  readonly script: readonly Line[]
  /** Timers whose time passes; that of the others is too long for this way. */
  readonly timers: readonly string[]
  readonly budget: Budget
  /** Host B lives in another PID namespace than host A. */
  readonly namespaces: boolean
  /** The machine of runs; a changed copy where a fault of its table is planted. */
  readonly run: MachineDefinition
  readonly faults: readonly (Fault | Harmless)[]
}

const nothingWrong: Budget = {
  crashes: 0,
  hostCrash: 0,
  launcherCrash: 0,
  agentCrash: 0,
  powerLoss: 0,
  takeover: 0,
  pidReuse: 0,
  obstacle: 0,
  unattended: 0,
  interrupts: 0,
}

export function config(budget: Partial<Budget>, rest: Partial<Omit<Config, "budget">> = {}): Config {
  return {
    turns: 1,
    script: ["identified", "text", "terminal"],
    timers: ["claim"],
    namespaces: false,
    run,
    faults: [],
    ...rest,
    budget: { ...nothingWrong, ...budget },
  }
}
