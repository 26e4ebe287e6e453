/** The same launcher under every `sh` that this machine has. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { descendantsOf } from "../../effects/process/descendants.ts"
import { signalVerified } from "../../effects/process/signals.ts"
import type { RunSpec } from "../../effects/run-folder/files.ts"
import { spawnLauncher } from "../../effects/run-folder/launch.ts"
import type { ProcessIdentity } from "../../machines/words.ts"
import { deadIdentity, env, newRun, prepare, shell, spec, started, until, world } from "./support.ts"

// Called by the name `sh`, bash is a POSIX shell and busybox finds its own.
const shells = ["dash", "bash", "busybox", "mksh"].map(name =>
  ["/bin", "/usr/bin"].map(at => `${at}/${name}`),
)
const found = shells.flatMap(paths => paths.filter(existsSync).slice(0, 1))

async function startWith(program: string, runSpec: RunSpec, owner?: ProcessIdentity) {
  const here = world()
  const run = newRun(here)
  await prepare(here, run, runSpec, owner === undefined ? {} : { owner })
  mkdirSync(join(here.root, "bin"))
  const sh = join(here.root, "bin", "sh")
  symlinkSync(program, sh)
  const { gone } = await Effect.runPromise(
    spawnLauncher({ run, path: here.folders.path(run), spec: runSpec, env, shell: sh }),
  )
  return started(here, run, gone)
}

describe.each(found)("%s", program => {
  test("runs an agent and writes its status", async () => {
    const run = await startWith(program, spec(shell("cat; exit 3")))
    expect(await run.gone).toBe(0)
    expect(run.file("stdout")).toBe("hello\n")
    expect(await run.state()).toMatchObject({
      claim: { by: "launcher" },
      agent: { pid: expect.any(Number) },
      exit: { status: 3, failure: null },
    })
  })

  test("takes `agent` back when the program cannot be executed", async () => {
    const plain = join(world().root, "plain")
    writeFileSync(plain, "text", { mode: 0o600 })
    for (const [binary, args, failure] of [
      ["/nowhere/at/all", [], "exec"],
      [plain, [], "exec"],
    ] as const) {
      const run = await startWith(program, spec({ binary, args: [...args] }))
      await run.gone
      expect(await run.state(), binary).toMatchObject({ agent: null, exit: { failure } })
    }
  })

  test("survives INT and TERM, and notes the signal that ended its agent", async () => {
    const run = await startWith(program, spec(shell("echo up; exec sleep 600")))
    await until("the agent is up", () => run.file("stdout") === "up\n")
    const { claim, agent } = await run.state()
    if (claim?.by !== "launcher" || agent === null) throw new Error("not started")
    const marker = `HOLDFAST_RUN=${run.run}`
    for (const signal of ["SIGINT", "SIGTERM"] as const) signalVerified(claim.identity, signal, { marker })
    // While it becomes `sleep` its environment is empty for a moment.
    await until("it was sent", () => signalVerified(agent, "SIGINT", { marker }) === "sent")
    await run.gone
    expect((await run.state()).exit).toEqual({ status: 130, failure: null })
    expect(descendantsOf(run.run, claim.identity)).toEqual([])
  })

  test("I9: ends an unattended run with all its processes", async () => {
    const stubborn = shell(
      `trap '' TERM; setsid sh -c 'trap "" TERM; sleep 600' & sleep 600 & wait; sleep 600`,
    )
    const run = await startWith(program, spec({ ...stubborn, unattendedLimitMs: 150 }), deadIdentity())
    await run.gone
    const { claim, ended, exit } = await run.state()
    if (claim?.by !== "launcher") throw new Error("not started")
    expect(ended).toEqual({ reason: "unattended" })
    expect(exit?.status).toBe(137)
    expect(descendantsOf(run.run, claim.identity)).toEqual([])
  })

  test("I8: the prompt is delivered once, whoever races", async () => {
    const here = world()
    const id = newRun(here)
    const runSpec = spec(shell("cat"))
    await prepare(here, id, runSpec)
    const sh = join(here.root, "sh")
    symlinkSync(program, sh)
    const launch = { run: id, path: here.folders.path(id), spec: runSpec, env, shell: sh }
    const racing = await Promise.all(
      Array.from({ length: 8 }, () => Effect.runPromise(spawnLauncher(launch))),
    )
    const codes = await Promise.all(racing.map(each => each.gone))
    expect(codes.filter(code => code === 0)).toHaveLength(1)
    expect(codes.filter(code => code === 75)).toHaveLength(7)
    expect(started(here, id, Promise.resolve(0)).file("stdout")).toBe("hello\n")
  })
})
