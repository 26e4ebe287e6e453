/** One claim, whoever races for it. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { env, newRun, prepare, shell, spec, started, world } from "./support.ts"

test("I8: of 20 launchers that race for one run, exactly one delivers the prompt", async () => {
  const here = world()
  const id = newRun(here)
  await prepare(here, id, spec(shell("cat")))
  const racing = await Promise.all(
    Array.from({ length: 20 }, () => Effect.runPromise(here.folders.launch(id, env))),
  )
  const codes = await Promise.all(racing.map(each => each.gone))
  expect(codes.filter(code => code === 0)).toHaveLength(1)
  expect(codes.filter(code => code === 75)).toHaveLength(19)
  const run = started(here, id, Promise.resolve(0))
  expect(run.file("stdout")).toBe("hello\n")
  expect((await run.state()).exit).toEqual({ status: 0, failure: null })
})

test("I8: hosts and launchers that race agree on one winner, in every round", async () => {
  const here = world()
  for (let round = 0; round < 5; round += 1) {
    const id = newRun(here)
    await prepare(here, id, spec(shell("cat")))
    const launchers = Array.from({ length: 10 }, () => Effect.runPromise(here.folders.launch(id, env)))
    const hosts = Array.from({ length: 10 }, () => Effect.runPromise(here.folders.claimByHost(id)))
    const codes = await Promise.all((await Promise.all(launchers)).map(each => each.gone))
    const verdicts = new Set(await Promise.all(hosts))
    const run = started(here, id, Promise.resolve(0))
    const { claim } = await run.state()
    expect([...verdicts]).toEqual([claim?.by === "host" ? "tombstoned" : "lost"])
    expect(run.file("stdout")).toBe(claim?.by === "host" ? "" : "hello\n")
    expect(codes.filter(code => code === 0)).toHaveLength(claim?.by === "host" ? 0 : 1)
  }
})

test("I8: a run claimed by its host is never started, and claiming it again changes nothing", async () => {
  const here = world()
  const id = newRun(here)
  await prepare(here, id, spec(shell("cat")))
  expect(await Effect.runPromise(here.folders.claimByHost(id))).toBe("tombstoned")
  expect(await Effect.runPromise(here.folders.claimByHost(id))).toBe("tombstoned")
  const { gone } = await Effect.runPromise(here.folders.launch(id, env))
  expect(await gone).toBe(75)
  const run = started(here, id, gone)
  expect(await run.state()).toMatchObject({ claim: { by: "host" }, agent: null, exit: null, stdoutBytes: 0 })
})

test("I8: a temporary name that is the claim itself is not written through", async () => {
  const here = world()
  const id = newRun(here)
  await prepare(here, id, spec(shell("cat")))
  // Without its final newline: it does not exist for a reader, but nobody else may take it either.
  writeFileSync(join(here.folders.path(id), "claim"), "by=laun")
  const { gone } = await Effect.runPromise(here.folders.launch(id, env))
  expect(await gone).toBe(75)
  const run = started(here, id, gone)
  expect(run.file("claim")).toBe("by=laun")
  expect((await run.state()).claim).toBeNull()
})
