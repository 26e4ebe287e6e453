/** How a turn ended, put together from its machine's state and its texts: the one place that reads both. */
import { context as turnContext } from "../../machines/turn.ts"
import { streamOf, type TextReference } from "../../machines/words.ts"
import type { Reader } from "../../store/index.ts"
import type { TurnSettled } from "./events.ts"

export interface Settlement extends Omit<TurnSettled, "type"> {
  /** The whole reply, or what there was of it; null when there is none, or when it was erased. */
  readonly text: string | null
  /** A conversation was given up, and the turn began a fresh one. */
  readonly historyLost: boolean
}

/** Only of a turn that has settled. */
export function settlementOf(store: Reader, session: string, turn: string): Settlement {
  const { closed, historyLost } = turnContext.parse(store.snapshot(streamOf.turn(turn))?.context)
  const read = (text: TextReference | null | undefined) => {
    const bytes = text == null ? null : store.readText(session, text.digest)
    return bytes === null ? null : Buffer.from(bytes).toString("utf8")
  }
  const verdict = closed?.verdict ?? null
  return {
    // A turn without a run was interrupted while it waited.
    outcome: closed?.outcome ?? "interrupted",
    failure: closed?.failure ?? null,
    explanation: read(closed?.explanation),
    text: read(closed?.reply),
    degraded: verdict?.degraded ?? null,
    conversation: verdict?.conversation ?? "reusable",
    emptyReply: verdict?.emptyReply ?? false,
    usage: verdict?.usage ?? null,
    deniedTools: verdict?.deniedTools ?? 0,
    left: closed?.left ?? [],
    historyLost,
  }
}
