/** The folder as the host sees it: preparing, reading, owning, removing, and what can go wrong. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { ownIdentity } from "../../effects/process/identity.ts"
import { errnoOf, runFolderError } from "../../effects/run-folder/errors.ts"
import {
  formatIdentity,
  formatSpec,
  parseClaim,
  parseExit,
  parseSpec,
} from "../../effects/run-folder/files.ts"
import { removeFolder } from "../../effects/run-folder/remove.ts"
import { env, newRun, prepare, shell, spec, world } from "./support.ts"

test("preparing twice is preparing once, and a spool is never emptied", async () => {
  const here = world()
  const id = newRun(here)
  await prepare(here, id, spec(shell("cat")))
  const folder = here.folders.path(id)
  writeFileSync(join(folder, "stdout"), "said\n")
  const before = readdirSync(folder).toSorted()
  await prepare(here, id, spec(shell("cat")))
  expect(readdirSync(folder).toSorted()).toEqual(before)
  expect(readFileSync(join(folder, "stdout"), "utf8")).toBe("said\n")
})

test("I8: another prompt or another spec under the same run is a conflict, and nothing changes", async () => {
  const here = world()
  const id = newRun(here)
  await prepare(here, id, spec(shell("cat")))
  await expect(prepare(here, id, spec(shell("cat")), { prompt: "other\n" })).rejects.toMatchObject({
    code: "CONFLICT",
    retryable: false,
  })
  await expect(prepare(here, id, spec(shell("cat -n")))).rejects.toMatchObject({ code: "CONFLICT" })
  expect(readFileSync(join(here.folders.path(id), "prompt"), "utf8")).toBe("hello\n")
})

test("a folder that is not there reads as null, launches as MISSING, and is removed as often as asked", async () => {
  const here = world()
  const id = newRun(here)
  expect(await Effect.runPromise(here.folders.read(id))).toBeNull()
  await expect(Effect.runPromise(here.folders.launch(id, env))).rejects.toMatchObject({ code: "MISSING" })
  await prepare(here, id, spec(shell("cat")))
  await Effect.runPromise(here.folders.remove(id))
  await Effect.runPromise(here.folders.remove(id))
  expect(readdirSync(join(here.root, "runs"))).toEqual([])
})

test("I8: a removal that was cut short leaves no folder that looks unstarted, and the next one finishes it", () => {
  const here = world()
  const runs = join(here.root, "runs")
  mkdirSync(join(runs, ".removed-a"), { recursive: true })
  writeFileSync(join(runs, ".removed-a", "prompt"), "text")
  removeFolder(join(runs, "a"))
  expect(readdirSync(runs)).toEqual([])
})

test("a tombstone can come before everything else", async () => {
  const here = world()
  const id = newRun(here)
  expect(await Effect.runPromise(here.folders.claimByHost(id))).toBe("tombstoned")
  expect(await Effect.runPromise(here.folders.read(id))).toEqual({
    claim: { by: "host" },
    agent: null,
    exit: null,
    ended: null,
    owner: null,
    spec: null,
    stdoutBytes: null,
    stderrBytes: null,
  })
})

test("an id that is no file name is refused before anything is touched", async () => {
  const here = world()
  for (const id of ["..", "a/b", "", ".hidden"]) {
    await expect(Effect.runPromise(here.folders.claimByHost(id))).rejects.toMatchObject({ code: "INVALID" })
  }
  expect(existsSync(join(here.root, "runs"))).toBe(false)
})

test("a disk or folder that refuses is a typed error with a code", async () => {
  const here = world()
  const id = newRun(here)
  writeFileSync(join(here.root, "runs"), "in the way")
  await expect(prepare(here, id, spec(shell("cat")))).rejects.toMatchObject({
    _tag: "RunFolderError",
    code: "MISSING",
    run: id,
  })
  rmSync(join(here.root, "runs"))
  for (const [errno, code, retryable] of [
    ["ENOSPC", "NO_SPACE", true],
    ["EACCES", "DENIED", false],
    ["EROFS", "READ_ONLY", false],
    ["EWHATEVER", "IO", true],
  ] as const) {
    const error = runFolderError("prepare", id, Object.assign(new Error("x"), { code: errno }))
    expect(error).toMatchObject({ code, retryable, errno })
    expect(error.message).toContain(errno)
  }
  expect(errnoOf("text")).toBe("UNKNOWN")
})

test("arguments beyond the system's limit fail at the launch, and nothing is claimed", async () => {
  const here = world()
  const id = newRun(here)
  await prepare(
    here,
    id,
    spec({ binary: "/bin/true", args: Array.from({ length: 40 }, () => "x".repeat(120_000)) }),
  )
  await expect(Effect.runPromise(here.folders.launch(id, env))).rejects.toMatchObject({ code: "TOO_BIG" })
  expect(await Effect.runPromise(here.folders.read(id))).toMatchObject({ claim: null, stdoutBytes: 0 })
})

test("a file without its final newline does not exist", () => {
  const claim = `by=launcher\n${formatIdentity(ownIdentity())}`
  expect(parseClaim(claim)).toEqual({ by: "launcher", identity: ownIdentity() })
  for (let cut = 0; cut < claim.length; cut += 1) expect(parseClaim(claim.slice(0, cut))).toBeNull()
  expect(parseExit("status=1")).toBeNull()
  expect(parseExit("status=1\nfailure=cwd\n")).toEqual({ status: 1, failure: "cwd" })
})

test("a spec reads back as it was written, whatever its arguments hold", () => {
  const stored = {
    ...spec({ binary: "/b in", args: ["", "a\nb=c\n", "=", '"', "\u2028é"] }),
    promptSha256: "0".repeat(64),
  }
  expect(parseSpec(formatSpec(stored))).toEqual(stored)
  expect(parseSpec(formatSpec(stored).slice(0, -1))).toBeNull()
  expect(parseSpec("nonsense\n")).toBeNull()
})
