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
  const folder = yield* folders.read(run)
  const launcher = folder?.claim?.by === "launcher" ? folder.claim.identity : null
  const judge = (who: ProcessIdentity | null | undefined) => (who ? identities.judge(who) : null)
  const judged = [judge(launcher), judge(folder?.agent)]
  const found: Found = {
    claim: folder?.claim?.by ?? "none",
    process: launcher === null ? "none" : worthiest(judged),
    agent: folder?.agent != null,
    exit: folder?.exit?.status ?? null,
    startFailure: folder?.exit?.failure ?? null,
    ended: folder?.ended?.reason ?? null,
    sameBoot: identities.own().boot === boot,
    launcher,
  }
  return { found, row: rowOf(found), folder } satisfies Look
})

/** One live process keeps the run alive; one that we cannot judge keeps us from calling it dead. */
function worthiest(judged: readonly (string | null)[]): "alive" | "elsewhere" | "dead" {
  if (judged.includes("alive")) return "alive"
  return judged.includes("elsewhere") ? "elsewhere" : "dead"
}
