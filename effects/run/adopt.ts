/** Becoming the owner of a run that another host started, and going on where the log stands. */
import { Effect } from "effect"
import type { FoundRow } from "../../machines/folder-table.ts"
import { Identities } from "../process/identity.ts"
import { RunFolders } from "../run-folder/folder.ts"
import { look } from "./found.ts"
import { runKnowledge } from "./knowledge.ts"
import { RunWatches } from "./watches.ts"

/** Look, as the owner from now on: the launcher's watchdog asks whether the one named there lives. */
export const lookAsOwner = Effect.fnUntraced(function* (run: string, boot: string | null) {
  const seen = yield* look(run, boot)
  const folders = yield* RunFolders
  if (seen.found.claim === "launcher") yield* folders.writeOwner(run, (yield* Identities).own())
  return seen
})

/** Once `found` is in the log: read on where the log stands, and keep watching a run that lives. */
export const goOn = Effect.fnUntraced(function* (run: string, row: FoundRow) {
  const watches = yield* RunWatches
  const watch = yield* watches.open(run)
  yield* watch.drain
  watch.knows(row)
  if ((yield* runKnowledge(run)).state === "active") yield* watches.follow(run)
})
