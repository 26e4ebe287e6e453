/** What the launcher does with one run, seen through its folder. */
import { createHash, randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { signalVerified } from "../../effects/process/signals.ts"
import { env, executable, newRun, prepare, shell, spec, start, started, until, world } from "./support.ts"

test("a run goes from claim to exit, and the folder says each step", async () => {
  const run = await start(world(), spec(shell("cat; echo oops >&2; exit 3")))
  expect(await run.gone).toBe(0)
  const state = await run.state()
  expect(state.claim?.by).toBe("launcher")
  expect(state.agent).not.toBeNull()
  expect(state.exit).toEqual({ status: 3, failure: null })
  expect(state.ended).toBeNull()
  expect(run.file("stdout")).toBe("hello\n")
  expect(run.file("stderr")).toBe("oops\n")
})

test("the agent's pid is the one in `agent`, and the launcher is another process", async () => {
  const run = await start(world(), spec(shell('echo "$$ $PPID"')))
  await run.gone
  const { agent, claim } = await run.state()
  if (claim?.by !== "launcher") throw new Error("not claimed by the launcher")
  expect(run.file("stdout")).toBe(`${agent?.pid} ${claim.identity.pid}\n`)
})

test("a prompt of 1 MB with every byte, NUL included, arrives byte-exact", async () => {
  const prompt = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, i) => i)), randomBytes(1 << 20)])
  const run = await start(world(), spec(shell("cat")), { prompt })
  await run.gone
  const here = join(run.folder, "stdout")
  const copy = await import("node:fs").then(fs => fs.readFileSync(here))
  expect(createHash("sha256").update(copy).digest("hex")).toBe(
    createHash("sha256").update(prompt).digest("hex"),
  )
})

test("a prompt that is not the one prepared is never delivered", async () => {
  const here = world()
  const id = newRun(here)
  await prepare(here, id, spec(shell("cat")))
  writeFileSync(join(here.folders.path(id), "prompt"), "something else\n")
  const { gone } = await Effect.runPromise(here.folders.launch(id, env))
  const run = started(here, id, gone)
  await run.gone
  expect(await run.state()).toMatchObject({ agent: null, exit: { status: 126, failure: "prompt" } })
  expect(run.file("stdout")).toBe("")
})

test("a missing folder is told from a missing binary", async () => {
  const here = world()
  const noFolder = await start(here, spec({ ...shell("cat"), cwd: join(here.root, "nowhere") }))
  const noBinary = await start(here, spec({ binary: join(here.root, "nothing"), args: [] }))
  await Promise.all([noFolder.gone, noBinary.gone])
  expect(await noFolder.state()).toMatchObject({ agent: null, exit: { status: 126, failure: "cwd" } })
  expect(await noBinary.state()).toMatchObject({ agent: null, exit: { status: 127, failure: "exec" } })
})

test("what cannot be executed leaves no `agent`: not executable, a folder, no interpreter", async () => {
  const here = world()
  const plain = join(here.root, "plain")
  writeFileSync(plain, "text", { mode: 0o600 })
  const ways = [
    await start(here, spec({ binary: plain, args: [] })),
    await start(here, spec({ binary: here.root, args: [] })),
    await start(
      here,
      spec({ binary: executable(join(here.root, "lost"), "#!/nowhere/interpreter\n"), args: [] }),
    ),
  ]
  for (const run of ways) {
    await run.gone
    expect(await run.state()).toMatchObject({ agent: null, exit: { failure: "exec" } })
  }
})

test("an agent's own 126 and 127 are its own", async () => {
  const here = world()
  for (const status of [126, 127]) {
    const run = await start(here, spec(shell(`exit ${status}`)))
    await run.gone
    const state = await run.state()
    expect(state.exit).toEqual({ status, failure: null })
    expect(state.agent).not.toBeNull()
  }
})

test("an agent ended by signal n leaves 128 + n", async () => {
  const here = world()
  for (const [signal, status] of [
    ["KILL", 137],
    ["TERM", 143],
    ["INT", 130],
  ] as const) {
    const run = await start(here, spec(shell(`kill -${signal} $$; sleep 60`)))
    await run.gone
    expect((await run.state()).exit).toEqual({ status, failure: null })
  }
})

test("SIGINT reaches the agent, and the launcher stays to write `exit`", async () => {
  const run = await start(
    world(),
    spec(shell("trap 'echo stopped; exit 7' INT; echo ready; while :; do sleep 0.05; done")),
  )
  await until("the agent is ready", () => run.file("stdout") === "ready\n")
  const { agent, claim } = await run.state()
  if (agent === null || claim?.by !== "launcher") throw new Error("not started")
  const marker = `HOLDFAST_RUN=${run.run}`
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    expect(signalVerified(claim.identity, signal, { marker })).toBe("sent")
  }
  expect(signalVerified(agent, "SIGINT", { marker })).toBe("sent")
  await run.gone
  expect(run.file("stdout")).toBe("ready\nstopped\n")
  expect((await run.state()).exit).toEqual({ status: 7, failure: null })
})

test("no signal is ignored by the agent because the launcher handles it", async () => {
  const run = await start(world(), spec(shell("grep SigIgn /proc/self/status || echo SigIgn: 0")))
  await run.gone
  const ignored = BigInt(`0x${run.file("stdout").split(/\s+/)[1]}`)
  for (const signal of [1n, 2n, 15n]) expect((ignored >> (signal - 1n)) & 1n).toBe(0n)
})

test("odd characters in folder and arguments arrive as they are", async () => {
  const here = world()
  const cwd = join(here.root, "a 'b' \"c\" $d `e` *\n\\ ü -")
  mkdirSync(cwd)
  const odd = ["", " ", "two words", "*", "$HOME", "`id`", "'\"", "new\nline\n", "\\", "-n", "é"]
  const run = await start(here, spec({ ...shell('pwd; printf "%s|" "$@"', ...odd), cwd }))
  await run.gone
  expect(run.file("stdout")).toBe(`${cwd}\n${odd.map(each => `${each}|`).join("")}`)
})

test("the agent gets its environment, its PATH and its umask, and nothing of ours but the mark", async () => {
  const here = world()
  const id = newRun(here)
  await prepare(here, id, spec({ binary: "/usr/bin/env", args: [] }))
  const given = { PATH: "/odd/bin:/usr/bin", SECRET: "a b\nc" }
  const { gone } = await Effect.runPromise(here.folders.launch(id, given))
  const run = started(here, id, gone)
  await run.gone
  const seen = run.file("stdout").split("\n")
  expect(seen).toEqual(
    expect.arrayContaining(["PATH=/odd/bin:/usr/bin", "SECRET=a b", "c", `HOLDFAST_RUN=${id}`]),
  )
  const added = seen.filter(line => /^[A-Z_]+=/.test(line)).map(line => line.split("=")[0] ?? "")
  // A bash that serves as `sh` adds the last three.
  const known = ["PATH", "SECRET", "HOLDFAST_RUN", "PWD", "OLDPWD", "SHLVL", "_"]
  expect(added.filter(name => !known.includes(name))).toEqual([])
  const umask = await start(here, spec(shell("umask")))
  await umask.gone
  expect(Number.parseInt(umask.file("stdout"), 8)).toBe(process.umask())
})

test("the folder is 0700, what the host made in it 0600, and no temporary file stays", async () => {
  const run = await start(world(), spec(shell("cat")))
  await run.gone
  expect(statSync(run.folder).mode & 0o777).toBe(0o700)
  for (const name of ["prompt", "spec", "stdout", "stderr", "owner"]) {
    expect(statSync(join(run.folder, name)).mode & 0o777, name).toBe(0o600)
  }
  expect(readdirSync(run.folder).sort()).toEqual(
    ["agent", "claim", "exit", "owner", "prompt", "spec", "stderr", "stdout"].sort(),
  )
})

test("nothing of the launcher is left when the run is over, however long its tick", async () => {
  const run = await start(world(), spec({ ...shell("sleep 0.1"), tickMs: 600_000 }))
  await run.gone
  const { descendantsOf } = await import("../../effects/process/descendants.ts")
  const { claim } = await run.state()
  if (claim?.by !== "launcher") throw new Error("not claimed")
  await until("the watchdog is gone", () => descendantsOf(run.run, claim.identity).length === 0)
  expect(existsSync(join(run.folder, "exit"))).toBe(true)
})
