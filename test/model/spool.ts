/** What a spool tells: its lines as inputs of the run, and the adapter's judgement at its end. Nothing is read here. */
import type { Input } from "../../machines/index.ts"
import type { Line } from "./config.ts"
import { runContextOf } from "./known.ts"
import { runOf, stateOf } from "./state.ts"
import type { World } from "./world.ts"

/** What the next unread line of the spool tells the log. Where a run is ending, only the terminal line counts. */
export function nextLine(world: World, run: string): Input | null {
  const { spool } = runOf(world, run)
  const { cursor, conclusion } = runContextOf(world, run)
  const state = stateOf(world, run)
  if (state === "active") {
    const line = spool[cursor]
    return line === undefined ? null : lineInput(line, cursor + 1)
  }
  const ending = state === "closing" || state === "tombstoning"
  return ending && conclusion === null && spool.includes("terminal")
    ? lineInput("terminal", spool.length)
    : null
}

/** What an adapter makes of a spool, with and without a terminal line in it. */
export const conclusion = (terminal: boolean) => ({
  terminal,
  verdict: verdict(terminal),
  reply: null,
  explanation: null,
})
const verdict = (answered: boolean) => ({
  outcome: answered ? "succeeded" : "failed",
  failure: answered ? null : { kind: "crashed", code: "NO_RESULT", retryable: false },
  degraded: null,
  emptyReply: false,
  conversation: "reusable",
  usage: null,
  deniedTools: 0,
  unknownLines: 0,
})

function lineInput(line: Line, cursor: number): Input {
  if (line === "identified") return { type: "identified", cursor, conversation: "c" }
  if (line === "text") return { type: "spoke", cursor }
  return { type: "resultSeen", cursor, ...conclusion(true) }
}
