/** The launcher's watchdog: it ends a run that nobody owns or that prints too much, and never outlives the run. */
import { Effect } from "effect"
import { expect, test } from "vitest"
import { descendantsOf } from "../../effects/process/descendants.ts"
import { judgeIdentity, ownIdentity } from "../../effects/process/identity.ts"
import { signalVerified } from "../../effects/process/signals.ts"
import { deadIdentity, type Started, shell, spec, start, until, world } from "./support.ts"

const forever = shell("echo up; while :; do sleep 0.05; done")

async function launcherOf(run: Started) {
  const { claim } = await run.state()
  return claim?.by === "launcher" ? claim.identity : null
}

test("a run whose owner is dead is ended, and says `unattended`", async () => {
  const run = await start(world(), spec({ ...forever, unattendedLimitMs: 150 }), { owner: deadIdentity() })
  await run.gone
  const state = await run.state()
  expect(state.ended).toEqual({ reason: "unattended" })
  expect(state.exit?.status).toBe(143)
  expect(descendantsOf(run.run, await launcherOf(run))).toEqual([])
})

test("an owner whose pid was taken by another process is dead", async () => {
  const owner = { ...ownIdentity(), start: "1" }
  const run = await start(world(), spec({ ...forever, unattendedLimitMs: 100 }), { owner })
  await run.gone
  expect((await run.state()).ended).toEqual({ reason: "unattended" })
})

test("an adoption in time keeps the run: the count begins anew with a live owner", async () => {
  const here = world()
  const run = await start(here, spec({ ...forever, unattendedLimitMs: 60_000 }), { owner: deadIdentity() })
  await until("the agent is up", () => run.file("stdout") === "up\n")
  await Effect.runPromise(here.folders.writeOwner(run.run, ownIdentity()))
  expect((await run.state()).owner).toEqual(ownIdentity())
  expect((await run.state()).ended).toBeNull()
})

test("an owner in another PID namespace is not judged", async () => {
  const owner = { ...ownIdentity(), namespace: "pid:[1]" }
  // The spool limit proves that the watchdog has ticked more often than the limit of ticks without an owner.
  const noisy = shell("while :; do echo 0123456789; sleep 0.05; done")
  const run = await start(world(), spec({ ...noisy, unattendedLimitMs: 50, maxSpoolBytes: 200 }), { owner })
  await run.gone
  expect((await run.state()).ended).toEqual({ reason: "spoolLimit" })
})

test("I16: a run that prints too much is ended, stdout and stderr counted together", async () => {
  const noisy = shell("while :; do echo 0123456789; echo 0123456789 >&2; done")
  const run = await start(world(), spec({ ...noisy, maxSpoolBytes: 100_000 }))
  await run.gone
  const state = await run.state()
  expect(state.ended).toEqual({ reason: "spoolLimit" })
  expect((state.stdoutBytes ?? 0) + (state.stderrBytes ?? 0)).toBeGreaterThan(100_000)
})

test("I9: what traps TERM or left the session ends with an unattended run", async () => {
  const stubborn = shell(
    `trap '' TERM; setsid sh -c 'trap "" TERM; while :; do sleep 0.05; done' & echo up; while :; do sleep 0.05; done`,
  )
  const run = await start(world(), spec({ ...stubborn, unattendedLimitMs: 200 }), { owner: deadIdentity() })
  await run.gone
  const state = await run.state()
  expect(state.ended).toEqual({ reason: "unattended" })
  expect(state.exit?.status).toBe(137)
  expect(descendantsOf(run.run, await launcherOf(run))).toEqual([])
})

test("when the launcher is killed the watchdog goes, the agent stays, and there is no `exit`", async () => {
  const run = await start(world(), spec(forever))
  await until("the agent is up", () => run.file("stdout") === "up\n")
  const { agent } = await run.state()
  const launcher = await launcherOf(run)
  if (launcher === null || agent === null) throw new Error("not started")
  const crew = await until("the watchdog is there", () =>
    descendantsOf(run.run, launcher).find(each => each.crew),
  )
  expect(signalVerified(launcher, "SIGKILL", { marker: `HOLDFAST_RUN=${run.run}` })).toBe("sent")
  await until("the watchdog is gone", () => judgeIdentity(crew.identity) === "dead")
  expect(judgeIdentity(agent)).toBe("alive")
  const state = await run.state()
  expect(state.exit).toBeNull()
  expect(state.ended).toBeNull()
})
