/**
 * Between taking a session over and giving it a prompt: a turn whose agent has ended is let settle first, since its
 * outcome may be one that stops the session. A turn that goes on is not waited for; the prompt queues behind it.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Session } from "../library/session.ts"
import { CliError } from "./problem.ts"
import { withReading } from "./reading.ts"
import { standingOf } from "./standing.ts"

const pollMs = 25

export async function letTheDeadSettle(session: Session, folder: string): Promise<void> {
  await withReading(folder, async reading => {
    const hasEnded = () => standingOf(reading, session.status()).agentAlive === false
    while (session.status().currentTurn !== null && hasEnded()) await sleep(pollMs)
  })
}

/** With what is known of the reason: an unknown outcome, an expired login, or nothing but that somebody paused it. */
export function pausedError(session: Session): CliError {
  const last = session.turns().findLast(row => row.outcome !== null && row.outcome !== "interrupted")
  const isUnknown = last?.outcome === "outcomeUnknown"
  return new CliError("SESSION_PAUSED", isUnknown ? "nobody knows how that turn ended" : last?.failure?.code)
}
