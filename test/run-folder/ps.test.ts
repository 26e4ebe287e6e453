/** The launcher as it looks at processes where there is no /proc: through `ps`, which this machine has too. */
import { Effect } from "effect"
import { expect, test } from "vitest"
import { parseLstart } from "../../effects/process/stat.ts"
import type { RunSpec } from "../../effects/run-folder/files.ts"
import { spawnLauncher } from "../../effects/run-folder/launch.ts"
import type { ProcessIdentity } from "../../machines/words.ts"
import { deadIdentity, env, newRun, prepare, shell, spec, started, world } from "./support.ts"

async function startWithPs(runSpec: RunSpec, owner?: ProcessIdentity) {
  const here = world()
  const run = newRun(here)
  await prepare(here, run, runSpec, owner === undefined ? {} : { owner })
  const launch = { run, path: here.folders.path(run), spec: runSpec, env, look: "ps" } as const
  const { gone } = await Effect.runPromise(spawnLauncher(launch))
  return started(here, run, gone)
}

test("claim and agent carry start times as `ps` gives them, and the run goes to its exit", async () => {
  const run = await startWithPs(spec(shell("cat; exit 3")))
  expect(await run.gone).toBe(0)
  const { claim, agent, exit } = await run.state()
  if (claim?.by !== "launcher" || agent === null) throw new Error("not started")
  for (const { start } of [claim.identity, agent]) expect(parseLstart(start)).toBe(start)
  expect(exit).toEqual({ status: 3, failure: null })
  expect(run.file("stdout")).toBe("hello\n")
})

test("I9: an unattended run is ended, with those that trap TERM", async () => {
  const stubborn = shell(`trap '' TERM; sh -c 'trap "" TERM; sleep 600' & sleep 600; sleep 600`)
  const run = await startWithPs(spec({ ...stubborn, unattendedLimitMs: 100 }), deadIdentity())
  await run.gone
  expect(await run.state()).toMatchObject({ ended: { reason: "unattended" }, exit: { status: 137 } })
})
