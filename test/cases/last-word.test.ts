/** Between reading a run's folder and asking who lives, a launcher may write its last word and die. */
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { Identities, ownIdentity } from "../../effects/process/identity.ts"
import { look } from "../../effects/run/found.ts"
import { type RunFolderState, RunFolders } from "../../effects/run-folder/folder.ts"

const own = ownIdentity()
const launcher = { ...own, pid: own.pid + 1 }
const claimed: RunFolderState = {
  claim: { by: "launcher", identity: launcher },
  agent: launcher,
  exit: null,
  ended: null,
  owner: own,
  spec: null,
  stdoutBytes: 0,
  stderrBytes: 0,
}

/** A folder that reads so, one time after the other, of a launcher that is dead by then. */
function foundIn(...states: readonly RunFolderState[]) {
  let looks = 0
  const folders = RunFolders.of({
    ...Effect.runSync(
      Effect.gen(function* () {
        return yield* RunFolders
      }).pipe(Effect.provide(RunFolders.layer("/nowhere"))),
    ),
    read: () => Effect.sync(() => states[looks++] ?? claimed),
  })
  const identities = Identities.of({ own: () => own, of: () => null, judge: () => "dead" })
  return Effect.runPromise(
    look("a-run.1", own.boot).pipe(
      Effect.provide(
        Layer.mergeAll(Layer.succeed(RunFolders, folders), Layer.succeed(Identities, identities)),
      ),
    ),
  )
}

describe("the last word", () => {
  it("RS-04 PL-06 an exit that was written between the two questions is heard", async () => {
    const exited = { ...claimed, exit: { status: 137, failure: null } }
    expect(await foundIn(claimed, exited)).toMatchObject({ row: "exited", found: { exit: 137 } })
  })

  it("PL-09 a launcher that died without a word has vanished", async () => {
    expect(await foundIn(claimed, claimed)).toMatchObject({ row: "vanished", found: { exit: null } })
  })
})
