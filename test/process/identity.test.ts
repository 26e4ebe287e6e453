/** Identities are judged as the kernel sees them, not as `kill(pid, 0)` does. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { Identities, identityOf, judgeIdentity, ownIdentity } from "../../effects/process/identity.ts"
import { runMark, signalVerified } from "../../effects/process/signals.ts"
import { child, newRun, until } from "./support.ts"

test("the service knows its own process, and that it is alive", async () => {
  const own = await Effect.runPromise(
    Effect.gen(function* () {
      const identities = yield* Identities
      expect(identities.judge(identities.own())).toBe("alive")
      expect(identities.of(process.pid)).toEqual(identities.own())
      return identities.own()
    }).pipe(Effect.provide(Identities.layer)),
  )
  expect(own.pid).toBe(process.pid)
  for (const part of [own.start, own.boot, own.host]) expect(part).not.toBe("")
})

test("a child is alive, then dead, and has no identity any more", async () => {
  const { identity, child: process, gone } = await child(newRun(), "echo; exec sleep 600")
  expect(judgeIdentity(identity)).toBe("alive")
  process.kill("SIGKILL")
  await gone
  expect(judgeIdentity(identity)).toBe("dead")
  expect(identityOf(identity.pid)).toBeNull()
})

test("another start, another boot: dead; another namespace or host: elsewhere", () => {
  const own = ownIdentity()
  expect(judgeIdentity({ ...own, start: "1" })).toBe("dead")
  expect(judgeIdentity({ ...own, boot: "another" })).toBe("dead")
  expect(judgeIdentity({ ...own, namespace: "pid:[1]" })).toBe("elsewhere")
  expect(judgeIdentity({ ...own, host: "another" })).toBe("elsewhere")
  expect(judgeIdentity({ ...own, host: "another", boot: "another" })).toBe("elsewhere")
})

test("a zombie is dead, although a signal could still be sent to it", async () => {
  // A parent that never asks for its children.
  const program =
    "import subprocess,sys,time\np=subprocess.Popen(['true'])\nprint(p.pid,flush=True)\ntime.sleep(600)"
  const parent = spawn("python3", ["-c", program], { stdio: ["ignore", "pipe", "inherit"] })
  try {
    const pid = Number(
      await new Promise<string>(resolve => parent.stdout.once("data", data => resolve(String(data)))),
    )
    await until("it is a zombie", () => / Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1")))
    expect(process.kill(pid, 0)).toBe(true)
    expect(identityOf(pid)).toBeNull()
    const start = readFileSync(`/proc/${pid}/stat`, "latin1").split(" ")[21] ?? ""
    expect(judgeIdentity({ ...ownIdentity(), pid, start })).toBe("dead")
  } finally {
    parent.kill("SIGKILL")
  }
})

test("I11: a reused pid is never signalled, nor is a process elsewhere", async () => {
  const run = newRun()
  const { identity } = await child(run, "echo; exec sleep 600")
  const marker = runMark(run)
  expect(signalVerified({ ...identity, start: "1" }, "SIGKILL", { marker })).toBe("gone")
  expect(signalVerified({ ...identity, boot: "another" }, "SIGKILL", { marker })).toBe("gone")
  expect(signalVerified({ ...identity, namespace: "pid:[1]" }, "SIGKILL", { marker })).toBe("unverified")
  expect(signalVerified({ ...identity, host: "another" }, "SIGKILL", { marker })).toBe("unverified")
  expect(judgeIdentity(identity)).toBe("alive")
})

test("I11: a process without our mark is never signalled where the mark is asked for", async () => {
  const run = newRun()
  const { identity } = await child(run, "echo; exec sleep 600")
  for (const marker of [runMark("other"), runMark(`${run}0`), runMark(run.slice(0, -1)), "HOLDFAST_RUN="]) {
    expect(signalVerified(identity, "SIGKILL", { marker })).toBe("unverified")
  }
  expect(judgeIdentity(identity)).toBe("alive")
  // While it becomes `sleep` its environment is empty for a moment.
  await until("it was sent", () => signalVerified(identity, "SIGKILL", { marker: runMark(run) }) === "sent")
})

test("I11: this process and the first one are never signalled", () => {
  expect(signalVerified(ownIdentity(), "SIGTERM", { marker: null })).toBe("unverified")
  const first = identityOf(1)
  if (first !== null) expect(signalVerified(first, "SIGTERM", { marker: null })).toBe("unverified")
})
