/**
 * The second Ctrl-C: a run's processes are killed without being asked. Nothing is appended: the interrupt is in
 * the log already, and the next host finds the run over and settles it.
 */
import { join } from "node:path"
import { Effect } from "effect"
import { endProcesses } from "../../effects/process/end.ts"
import { readFolder } from "../../effects/run-folder/read.ts"

const graceMs = 2_000

export async function endHard(folder: string, run: string): Promise<void> {
  const { claim, agent } = readFolder(join(folder, "runs", run))
  const launcher = claim?.by === "launcher" ? claim.identity : null
  // The launcher comes last and gets a moment, so that it can still write how the agent ended.
  const request = {
    run,
    launcher,
    agent,
    ladder: [{ signal: "SIGKILL", graceMs } as const],
    launcherGraceMs: graceMs,
  }
  await Effect.runPromise(endProcesses(request))
}
