/** Publications and deaths that exercise each guard of the run folder's machine, as the graph explores them. */
import type { AnyInput } from "../given.ts"
import { launcher } from "./words.ts"

const agent = { ...launcher, pid: 8 }

export const folderInputs: readonly AnyInput[] = [
  { type: "prepared", owner: launcher },
  { type: "owned", owner: launcher },
  { type: "claimedByLauncher", launcher },
  { type: "claimedByHost" },
  { type: "agentStarted", agent },
  { type: "agentTakenBack" },
  { type: "exitPublished", status: 0, failure: null },
  { type: "exitPublished", status: 127, failure: "exec" },
  { type: "endedPublished", reason: "unattended" },
  { type: "launcherDied" },
  { type: "agentDied" },
  { type: "powerLost", lost: [] },
  { type: "powerLost", lost: ["exit"] },
  { type: "powerLost", lost: ["agent", "exit"] },
  { type: "powerLost", lost: ["claim", "agent", "exit", "ended"] },
  { type: "timer", id: "none" },
]

/** Everything in it is a file or a death, and there are few of each. */
export const folderKey = (context: Readonly<Record<string, unknown>>): unknown => context
