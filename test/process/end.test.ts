/** Ending a run's processes, all of them, bounded. */
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { descendantsOf } from "../../effects/process/descendants.ts"
import { type EndRequest, endProcesses } from "../../effects/process/end.ts"
import { judgeIdentity, ownIdentity } from "../../effects/process/identity.ts"
import { runMark, signalVerified } from "../../effects/process/signals.ts"
import { shell, spec, start, until, world } from "../run-folder/support.ts"
import { child, newRun } from "./support.ts"

const patient = 20_000
const kill = [{ signal: "SIGKILL", graceMs: patient }] as const

function end(request: EndRequest) {
  return Effect.runPromise(endProcesses({ pollMs: 10, ...request }))
}

async function startUp(program: string, ready = "up\n") {
  const run = await start(world(), spec(shell(program)))
  await until("the agent is up", () => run.file("stdout").endsWith(ready))
  const { claim, agent } = await run.state()
  if (claim?.by !== "launcher" || agent === null) throw new Error("not started")
  return { ...run, launcher: claim.identity, agent }
}

test("I9: SIGINT first; the launcher comes last and writes `exit`", async () => {
  const run = await startUp("trap 'echo bye; exit 9' INT; echo up; while :; do sleep 0.05; done")
  const ladder = [{ signal: "SIGINT", graceMs: patient }] as const
  expect(await end({ ...run, ladder })).toEqual({ left: [] })
  expect((await run.state()).exit).toEqual({ status: 9, failure: null })
  expect(run.file("stdout")).toBe("up\nbye\n")
  expect(judgeIdentity(run.launcher)).toBe("dead")
})

test("I9: what ignores INT and TERM is killed, and `exit` is written all the same", async () => {
  const run = await startUp(
    `trap '' INT TERM; sh -c 'trap "" INT TERM; sleep 600' & echo up; while :; do sleep 0.05; done`,
  )
  const ladder = [{ signal: "SIGINT", graceMs: 50 }, { signal: "SIGTERM", graceMs: 50 }, ...kill] as const
  expect(await end({ ...run, ladder })).toEqual({ left: [] })
  expect((await run.state()).exit).toEqual({ status: 137, failure: null })
  expect(descendantsOf(run.run, run.launcher)).toEqual([])
})

test("I9: tools in their own session, double forks and orphans end with the run", async () => {
  const run = await startUp(
    `setsid sh -c 'trap "" INT TERM; sleep 600' &
     ( ( sleep 600 & ) & )
     setsid sh -c '( setsid sleep 600 & ) & sleep 600' &
     sleep 0.2; echo up; exec sleep 600`,
  )
  await until(
    "all are there",
    () => descendantsOf(run.run, run.launcher, run).filter(each => !each.crew).length >= 6,
  )
  const before = descendantsOf(run.run, run.launcher)
  const ladder = [{ signal: "SIGINT", graceMs: 100 }, ...kill] as const
  expect(await end({ ...run, ladder })).toEqual({ left: [] })
  for (const { identity } of before) expect(judgeIdentity(identity)).toBe("dead")
})

test("I9: children born while the run is being ended are ended too", async () => {
  const run = await startUp(
    `trap '' TERM; trap 'setsid sh -c "trap \\"\\" INT; echo born; exec sleep 600" & exit 0' INT
     echo up; while :; do sleep 0.02; done`,
  )
  const ladder = [{ signal: "SIGINT", graceMs: 300 }, ...kill] as const
  expect(await end({ ...run, ladder })).toEqual({ left: [] })
  expect(descendantsOf(run.run, run.launcher)).toEqual([])
})

test("I9: a member of the session that lost our mark is ended; one that left the session is named, not hit", async () => {
  const run = await startUp("env -i sleep 600 & setsid env -i sleep 601 & sleep 0.2; echo up; exec sleep 600")
  const outsider = await until("both are there", () => {
    const found = descendantsOf(run.run, run.launcher)
    const unmarked = found.filter(each => each.evidence === "session")
    return unmarked.length > 0 ? found.find(each => each.evidence === "descent") : undefined
  })
  const { left } = await end({ ...run, ladder: kill })
  expect(left).toEqual([outsider.identity])
  expect(judgeIdentity(outsider.identity)).toBe("alive")
  process.kill(outsider.identity.pid, "SIGKILL")
})

test("a declared daemon is spared and not reported", async () => {
  const run = await startUp("setsid sleep 612 & sleep 0.2; echo up; exec sleep 600")
  const isDaemon = (command: string) => command.split("\0").includes("612")
  const daemon = await until("the daemon is there", () =>
    descendantsOf(run.run, run.launcher).find(each =>
      isDaemon(readFileSync(`/proc/${each.identity.pid}/cmdline`, "utf8")),
    ),
  )
  expect(await end({ ...run, ladder: kill, spare: isDaemon })).toEqual({ left: [] })
  expect(judgeIdentity(daemon.identity)).toBe("alive")
  expect(signalVerified(daemon.identity, "SIGKILL", { marker: runMark(run.run) })).toBe("sent")
})

test("I9: a dead launcher does not hide its agent", async () => {
  const run = await startUp("env -i sleep 600 & echo up; exec sleep 600")
  signalVerified(run.launcher, "SIGKILL", { marker: runMark(run.run) })
  await run.gone
  expect(await end({ ...run, ladder: kill })).toEqual({ left: [] })
  expect(judgeIdentity(run.agent)).toBe("dead")
  expect(descendantsOf(run.run, run.launcher)).toEqual([])
})

test("I11: identities that are not ours are neither hit nor forgotten", async () => {
  const stranger = await child(null, "echo; exec sleep 600")
  try {
    const forged = { ...stranger.identity, start: "1" }
    const { left } = await end({ run: newRun(), launcher: forged, agent: stranger.identity, ladder: kill })
    expect(left).toEqual([stranger.identity])
    expect(judgeIdentity(stranger.identity)).toBe("alive")
  } finally {
    stranger.child.kill("SIGKILL")
  }
})

test("a launcher elsewhere is named and left alone", async () => {
  const launcher = { ...ownIdentity(), namespace: "pid:[1]" }
  expect(await end({ run: newRun(), launcher, agent: null, ladder: kill })).toEqual({ left: [launcher] })
})

test("a run that is over already has nothing left", async () => {
  const run = await start(world(), spec(shell("true")))
  await run.gone
  const { claim, agent } = await run.state()
  if (claim?.by !== "launcher") throw new Error("not started")
  expect(await end({ run: run.run, launcher: claim.identity, agent })).toEqual({ left: [] })
})
