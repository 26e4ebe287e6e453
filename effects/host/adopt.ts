/**
 * Taking over a session whose host died: what its runs' spools and folders say is appended first, then what was
 * under way is asked about, then what waited is waited for. Everything decided on the way is in the log.
 */
import { Effect } from "effect"
import { isSettled, runIdOf, streamOf } from "../../machines/words.ts"
import { inRun } from "../correlation.ts"
import { Log } from "../log.ts"
import { goOn, lookAsOwner } from "../run/adopt.ts"
import { runKnowledge } from "../run/knowledge.ts"
import { RunWatches } from "../run/watches.ts"
import { Interpreter } from "./interpreter.ts"

export const adoptSessions = Effect.fn("adoptSessions")(function* (sessions: readonly string[]) {
  const log = yield* Log
  const open = sessions
    .flatMap(session => log.store.turns(session))
    .filter(turn => !turn.undecodable && !isSettled(turn.state))
  for (const turn of open) {
    if (turn.undecodable || turn.runs === 0) continue
    const run = runIdOf(turn.turn, turn.runs)
    // One that cannot be read, or whose stream is of no use, must not keep the others from being adopted.
    yield* adoptRun(run).pipe(
      Effect.catchCause(cause => Effect.logError("a run could not be adopted", cause)),
      inRun(run, turn.session),
    )
  }
  yield* (yield* Interpreter).recover(sessions)
  for (const turn of open) {
    if (turn.undecodable || turn.state !== "blocked") continue
    yield* log.append({ stream: streamOf.turn(turn.turn), inputs: [{ type: "unblock" }], actor: "host" })
  }
})

/** A launch that is outstanding asks for itself, and so does an end. */
const adoptRun = Effect.fn("adoptRun")(function* (run: string) {
  const log = yield* Log
  const { state, boot } = yield* runKnowledge(run)
  const stream = streamOf.run(run)
  if (state === "spawning" && log.store.outbox().some(row => row.stream === stream)) return
  // Its tombstone is outstanding; an answer that was written meanwhile wins over it.
  if (state === "tombstoning") return yield* (yield* (yield* RunWatches).open(run)).drain
  if (state !== "spawning" && state !== "active") return
  const seen = yield* lookAsOwner(run, boot)
  yield* Effect.logDebug("a run was found", { state, row: seen.row })
  // A run that is active has a claim, so its spool speaks first; of one that is spawning the claim must be known.
  if (state === "active") yield* (yield* (yield* RunWatches).open(run)).drain
  const inputs = [{ type: "found", ...seen.found }]
  yield* log.append({ stream, inputs, actor: "host", correlation: run })
  yield* goOn(run, seen.row)
})
