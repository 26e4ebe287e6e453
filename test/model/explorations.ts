/**
 * What is explored: a few configurations that together let everything go wrong, small enough for the test command,
 * and larger ones for `HOLDFAST_MODEL=full`. Nothing here says what must hold.
 */
import { type Config, config, type Line } from "./config.ts"

const short: readonly Line[] = ["text", "terminal"]

/** Together some hundred thousand states; each goes to its end. */
export const explorations: Readonly<Record<string, Config>> = {
  "one turn, two crashes of hosts, launcher and power, one interrupt": config(
    { crashes: 2, hostCrash: 1, launcherCrash: 1, powerLoss: 1, interrupts: 1 },
    { script: short },
  ),
  "two turns, one crash of anybody": config(
    { crashes: 1, hostCrash: 1, launcherCrash: 1, agentCrash: 1, powerLoss: 1 },
    { turns: 2 },
  ),
  "an agent that dies, watchdogs of every kind": config(
    { crashes: 1, agentCrash: 1, interrupts: 1 },
    { timers: ["claim", "firstOutput", "idle", "total"] },
  ),
  "a second host that takes over from a live one": config({ takeover: 1, interrupts: 1 }),
  "a missing key, a refusal, a spawn that fails, a program that cannot be executed": config({
    obstacle: 2,
    crashes: 1,
    hostCrash: 1,
  }),
  "hosts in two PID namespaces": config(
    { crashes: 2, hostCrash: 2 },
    { namespaces: true, timers: ["claim", "elsewhere"] },
  ),
  "a launcher without an owner": config({ unattended: 1, crashes: 1, hostCrash: 1 }),
  "pids that strangers get": config(
    { pidReuse: 1, interrupts: 1, crashes: 1, launcherCrash: 1, agentCrash: 1 },
    { script: short },
  ),
}

/** Minutes and gigabytes. */
export const largeExplorations: Readonly<Record<string, Config>> = {
  "one turn, two crashes of anybody, one interrupt": config({
    crashes: 2,
    hostCrash: 2,
    launcherCrash: 1,
    agentCrash: 1,
    powerLoss: 1,
    interrupts: 1,
  }),
  "one turn, three crashes": config(
    { crashes: 3, hostCrash: 2, launcherCrash: 1, agentCrash: 1, powerLoss: 1 },
    { script: short },
  ),
  "two turns, one crash of anybody, one interrupt, all watchdogs": config(
    { crashes: 1, hostCrash: 1, launcherCrash: 1, agentCrash: 1, powerLoss: 1, interrupts: 1 },
    { turns: 2, script: short, timers: ["claim", "firstOutput", "idle", "total"] },
  ),
  "obstacles, a crash and a power cut": config({ obstacle: 2, crashes: 2, hostCrash: 1, powerLoss: 1 }),
  "a takeover, a crash and an interrupt": config({ crashes: 1, hostCrash: 1, takeover: 1, interrupts: 1 }),
  "two PID namespaces, two crashes, one interrupt": config(
    { crashes: 2, hostCrash: 2, launcherCrash: 1, agentCrash: 1, interrupts: 1 },
    { script: short, namespaces: true, timers: ["claim", "elsewhere"] },
  ),
}
