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
import type { Output } from "./output.ts"
import { CliError } from "./problem.ts"
import { pausedError } from "./settling.ts"
import type { View } from "./show/view.ts"

export interface Drive {
  readonly session: Session
  readonly turn: Turn
  readonly folder: string
  readonly view: View
  readonly output: Output
  readonly interrupts: Interrupts
}

/** How long a turn that has not begun may take to be withdrawn, ms: two small writes. */
const withdrawalMs = 2_000

export async function drive({ session, turn, folder, view, output, interrupts }: Drive): Promise<number> {
  const began = performance.now()
  interrupts.beforeLeaving(async () => {
    const runs = rowOf(session, turn)?.runs ?? 0
    if (runs > 0) await endHard(folder, runIdOf(turn.id, runs))
    // Whoever owns the session has to be told before we go, or would begin it one day.
    else await Promise.race([asked, sleep(withdrawalMs)])
  })
  let asked: Promise<void> | null = null
  interrupts.ask(() => {
    view.interrupting(turn.id)
    asked = turn.interrupt().catch(() => undefined) // it has settled meanwhile, and its result says how
  })
  await turn.accepted
  view.turn(turn.id, session.id)
  const over = new AbortController()
  const told = (async () => {
    for await (const event of turn.events({ signal: over.signal })) {
      view.event(event)
      await output.room()
    }
  })()
  try {
    // The result is waited for from the start: by that a turn that its owner lets go of is taken over here.
    const both = Promise.all([turn.result, told])
    const stuck = waitUntilStuck(session, turn, over.signal)
    const [result] = await Promise.race([both, stuck])
    const exit = exitOfResult(result)
    view.result(result, { elapsedMs: Math.round(performance.now() - began), exit })
    return exit
  } finally {
    over.abort()
    await told.catch(() => undefined)
  }
}

/** Rejects when nothing will happen until somebody does something, and at the signal, when nobody listens. */
async function waitUntilStuck(session: Session, turn: Turn, signal: AbortSignal): Promise<never> {
  for (;;) {
    const row = rowOf(session, turn)
    if (row?.state === "blocked") throw new CliError("TURN_BLOCKED", turn.id)
    if (row?.state === "queued" && session.status().state === "paused") {
      await turn.interrupt() // or it would be done as well when somebody says it again
      throw pausedError(session)
    }
    await sleep(100, undefined, { signal })
  }
}

function rowOf(session: Session, turn: Turn) {
  return session.turns().find(row => row.turn === turn.id)
}
