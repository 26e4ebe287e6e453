/**
 * What an operator must see although nobody may be waiting for it: a turn that stands still until somebody does
 * something. Said once the outcome that brought it about is in the log.
 */
import { Effect } from "effect"
import { blockReason, turnIdOf } from "../../machines/words.ts"
import type { Store } from "../../store/index.ts"
import type { OutboxRow, Receipt } from "../../store/types.ts"
import type { Outcome } from "../run/performers.ts"

export function mustBeSeen(
  store: Store,
  row: OutboxRow,
  receipt: Receipt,
  outcome: Pick<Outcome, "inputs">,
): Effect.Effect<void> {
  if (receipt.state === "blocked") {
    const reason = outcome.inputs.map(input => blockReason.safeParse(input.reason).data).find(Boolean)
    return Effect.logWarning("nothing is started for this turn: this host lacks what it needs", { reason })
  }
  if (receipt.state !== "closed") return Effect.void
  const turn = store.turn(turnIdOf(String(row.params.run)))
  const unknown = turn !== null && !turn.undecodable && turn.outcome === "outcomeUnknown"
  return unknown
    ? Effect.logWarning("nobody knows how this turn ended: its session waits until somebody resumes it")
    : Effect.void
}
