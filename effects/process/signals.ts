/**
 * The only place in Holdfast that sends a signal. It verifies whom it is about to hit, immediately before.
 * Nothing here signals a group, a name or a bare pid.
 */
import type { ProcessIdentity } from "../../machines/words.ts"
import { judgeIdentity } from "./identity.ts"
import { hasMark, look } from "./table.ts"

export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGKILL"

/** `gone`: there is no such process any more. `unverified`: something is there, and nothing was sent. */
export type Sent = "sent" | "gone" | "unverified"

/** The variable that every process of a run carries in its environment. */
export const RUN_VARIABLE = "HOLDFAST_RUN"

export function runMark(run: string): string {
  return `${RUN_VARIABLE}=${run}`
}

/**
 * Sends `signal` if the process is still the one meant and, unless `marker` is null, carries it in its
 * environment. Where start times have one second of resolution a pid alone is ambiguous, so there the marker
 * is needed in any case.
 */
export function signalVerified(
  identity: ProcessIdentity,
  signal: EndingSignal,
  { marker }: { readonly marker: string | null },
): Sent {
  const judgement = judgeIdentity(identity)
  if (judgement === "dead") return "gone"
  if (judgement === "elsewhere") return "unverified"
  if (identity.pid <= 1 || identity.pid === process.pid) return "unverified"
  if (marker === null ? look === "ps" : hasMark(identity.pid, marker) !== true) return "unverified"
  try {
    process.kill(identity.pid, signal)
    return "sent"
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ESRCH" ? "gone" : "unverified"
  }
}
