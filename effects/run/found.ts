/**
 * A run folder as its run's machine wants to hear of it: facts, judged by identity at one moment. What they
 * mean is the machine's to say.
 */
import { Effect } from "effect"
import { type Found, type FoundRow, rowOf } from "../../machines/folder-table.ts"
import type { ProcessIdentity } from "../../machines/words.ts"
import { Identities } from "../process/identity.ts"
import { RunFolders } from "../run-folder/folder.ts"
import type { RunFolderState } from "../run-folder/read.ts"

export interface Look {
  readonly found: Found
  readonly row: FoundRow
  readonly folder: RunFolderState | null
}

/** @param boot the boot in which the launcher was asked for. */
export const look = Effect.fnUntraced(function* (run: string, boot: string | null) {
  const folders = yield* RunFolders
  const identities = yield* Identities
  const before = yield* folders.read(run)
  // Judged once: those that are dead now have written their last word, and a folder read after that is final.
  const process = processOf(before, identities)
  const folder = before?.exit == null && process === "dead" ? yield* folders.read(run) : before
  const found: Found = {
    claim: folder?.claim?.by ?? "none",
    process,
    agent: folder?.agent != null,
    exit: folder?.exit?.status ?? null,
    startFailure: folder?.exit?.failure ?? null,
    ended: folder?.ended?.reason ?? null,
    sameBoot: identities.own().boot === boot,
    launcher: launcherOf(folder),
  }
  return { found, row: rowOf(found), folder } satisfies Look
})

function launcherOf(folder: RunFolderState | null): ProcessIdentity | null {
  return folder?.claim?.by === "launcher" ? folder.claim.identity : null
}

/** One live process keeps the run alive; one that we cannot judge keeps us from calling it dead. */
function processOf(folder: RunFolderState | null, identities: Identities["Service"]): Found["process"] {
  const launcher = launcherOf(folder)
  if (launcher === null) return "none"
  const judged = [launcher, folder?.agent].map(who => (who ? identities.judge(who) : null))
  if (judged.includes("alive")) return "alive"
  return judged.includes("elsewhere") ? "elsewhere" : "dead"
}
