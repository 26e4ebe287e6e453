/**
 * A turn that this process waits for: its events as they come, its interrupt, its result, its exit code. The turn
 * goes on when nobody reads the output any more, and the host is the caller's to open and close.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { runIdOf } from "../../machines/words.ts"
import type { Session } from "../library/session.ts"
import type { Turn } from "../library/turn.ts"
import { exitOfResult } from "./exit-codes.ts"
import { endHard } from "./hard-end.ts"
import type { Interrupts } from "./interrupts.ts"
import { CliError } from "./problem.ts"
import type { View } from "./show/view.ts"

export interface Drive {
  readonly session: Session
  readonly turn: Turn
  readonly folder: string
  readonly view: View
  readonly interrupts: Interrupts
}

export async function drive({ session, turn, folder, view, interrupts }: Drive): Promise<number> {
  const began = performance.now()
  await turn.accepted
  view.turn(turn.id, session.id)
  interrupts.beforeLeaving(async () => {
    const runs = rowOf(session, turn)?.runs ?? 0
    if (runs > 0) await endHard(folder, runIdOf(turn.id, runs))
  })
  interrupts.ask(() => {
    view.interrupting(turn.id)
    turn.interrupt().catch(() => undefined) // it has settled meanwhile, and its result says how
  })
  const over = new AbortController()
  const told = (async () => {
    for await (const event of turn.events({ signal: over.signal })) view.event(event)
  })()
  try {
    await Promise.race([told, waitUntilStuck(session, turn, over.signal)])
    const result = await turn.result
    const exit = exitOfResult(result)
    view.result(result, { elapsedMs: Math.round(performance.now() - began), exit })
    return exit
  } finally {
    over.abort()
    await told.catch(() => undefined)
  }
}

/** Rejects when nothing will happen until somebody does something. Otherwise it never settles before the signal. */
async function waitUntilStuck(session: Session, turn: Turn, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const row = rowOf(session, turn)
    if (row?.state === "blocked") throw new CliError("TURN_BLOCKED", turn.id)
    if (row?.state === "queued" && session.status().state === "paused")
      throw new CliError("SESSION_PAUSED", `the prompt waits as turn ${turn.id}`)
    await sleep(100, undefined, { signal }).catch(() => undefined)
  }
}

function rowOf(session: Session, turn: Turn) {
  return session.turns().find(row => row.turn === turn.id)
}
