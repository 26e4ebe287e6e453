/**
 * What is taken away again: spools after their time, and everything of a session that is erased. Only of turns
 * that have settled; the log stays whole.
 */
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { runIdOf, turnIdOf } from "../../machines/words.ts"
import { Log } from "../log.ts"
import { Moments } from "../moments.ts"
import { RunFolders } from "../run-folder/folder.ts"
import { Settings } from "../settings.ts"

const beat = "1 hour"

/** Remove the folders of runs whose turn settled longer than `spoolRetentionMs` ago; afterwards only texts are left. */
export const sweepSpools = Effect.gen(function* () {
  const { folder, spoolRetentionMs } = yield* Settings
  const log = yield* Log
  const folders = yield* RunFolders
  const now = (yield* Moments).wall()
  for (const run of foldersIn(join(folder, "runs"))) {
    const turn = log.store.turn(turnIdOf(run))
    if (turn === null || turn.undecodable || turn.settledAt === null) continue
    if (now - turn.settledAt > spoolRetentionMs) yield* folders.remove(run)
  }
})

/** On opening and every hour from then on. */
export const sweepRegularly = Effect.gen(function* () {
  while (true) {
    yield* sweepSpools.pipe(
      Effect.catchCause(cause => Effect.logWarning("old spools could not be removed", cause)),
    )
    yield* Effect.sleep(beat)
  }
}).pipe(Effect.forkScoped, Effect.asVoid)

/** Texts, key, spools and the agent's private configuration of one session; its events stay, and name nothing. */
export const eraseSession = Effect.fn("eraseSession")(function* (session: string) {
  const { folder } = yield* Settings
  const log = yield* Log
  const folders = yield* RunFolders
  for (const turn of log.store.turns(session)) {
    if (turn.undecodable) continue
    for (let number = 1; number <= turn.runs; number += 1) yield* folders.remove(runIdOf(turn.turn, number))
  }
  rmSync(join(folder, "agents", session), { recursive: true, force: true })
  return log.store.erase(session)
})

function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return [] // no run has been prepared yet
  }
}
