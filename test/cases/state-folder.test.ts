/**
 * State folders that cannot be used: each is refused with its own code and the next step, and what is in it stays
 * as it was. Mounts of their own stand for a read-only and for a full disk, since modes stop no root.
 */
import { spawnSync } from "node:child_process"
import fs, { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import Database from "better-sqlite3"
import { describe, expect } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { it, type Place, refusal, until } from "./harness.ts"

/** What statfs(2) says of a folder on NFS, for folders that are named so. */
function pretendNfs(place: Place): void {
  const nfs = 0x6969
  const { statfsSync } = fs
  const restore = () => {
    fs.statfsSync = statfsSync
    syncBuiltinESMExports()
  }
  const pretending = (path: fs.PathLike) => {
    const found = statfsSync(path)
    return String(path).endsWith("on-nfs") ? Object.assign(found, { type: nfs }) : found
  }
  // The one of its overloads that is called here.
  fs.statfsSync = pretending as typeof statfsSync
  syncBuiltinESMExports()
  place.undo(restore)
}

const mount = (...args: readonly string[]) => spawnSync("mount", args).status === 0
/** Asked in a namespace of its own, which ends with the question. */
const canMount =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0

/** A small disk of its own for the state folder. */
function disk(place: Place, size: string): void {
  mkdirSync(place.home, { mode: 0o700 })
  expect(mount("-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs", place.home)).toBe(true)
  place.undo(() => spawnSync("umount", [place.home]))
}

/** Fills what is left, and gives the file to be removed for room. */
function fill(folder: string): string {
  const path = join(folder, "filler")
  const piece = Buffer.alloc(4096, 1)
  try {
    for (;;) writeFileSync(path, piece, { flag: "a" })
  } catch {
    return path
  }
}

describe("state folder", () => {
  it("a folder that is not there is made, private", async ({ place }) => {
    await place.open({ home: place.at("deep/down/state") })
    expect(readdirSync(place.at("deep/down/state"))).toContain("log.sqlite")
  })

  it("a folder that others may enter is refused, and its mode is left alone", async ({ place }) => {
    mkdirSync(place.home)
    chmodSync(place.home, 0o755)
    const refused = await refusal(() => place.open())
    expect(refused).toMatchObject({ code: "FOLDER_MODE", retryable: false })
    expect(refused.message).toContain("chmod 700")
    expect(readdirSync(place.home)).toEqual([])
  })

  it("a file where the folder should be is refused, and kept", async ({ place }) => {
    writeFileSync(place.home, "mine")
    expect(await refusal(() => place.open())).toMatchObject({ code: "FOLDER_NOT_OURS" })
    expect(readFileSync(place.home, "utf8")).toBe("mine")
    rmSync(place.home)
  })

  for (const [what, make] of [
    [
      "another program's database",
      (path: string) => new Database(path).exec("CREATE TABLE theirs (a)").close(),
    ],
    [
      "a file that is no database",
      (path: string) => writeFileSync(path, "my shopping list, not a log".repeat(99)),
    ],
  ] as const)
    it(`${what} in the log's place is refused, byte for byte`, async ({ place }) => {
      mkdirSync(place.home, { mode: 0o700 })
      const path = join(place.home, "log.sqlite")
      make(path)
      const before = readFileSync(path)
      const refused = await refusal(() => place.open())
      expect(refused).toMatchObject({ code: "FOLDER_NOT_OURS", retryable: false })
      expect(refused.message).toContain("Choose another folder")
      expect(readFileSync(path)).toEqual(before)
      rmSync(place.home, { recursive: true })
    })

  it("a log of a newer version is refused, and nothing in it is touched", async ({ place }) => {
    await place.play("st-17")
    await place.closeHosts()
    const path = join(place.home, "log.sqlite")
    const db = new Database(path)
    const version = Number(db.pragma("user_version", { simple: true }))
    db.pragma("user_version = 999")
    db.pragma("wal_checkpoint(TRUNCATE)")
    db.close()
    const before = readFileSync(path)
    const refused = await refusal(() => place.open())
    expect(refused).toMatchObject({ code: "FOLDER_NEWER", retryable: false })
    expect(refused.message).toContain("Update")
    expect(readFileSync(path)).toEqual(before)
    const back = new Database(path)
    back.pragma(`user_version = ${version}`)
    back.close()
    expect((await place.open()).sessions()).toHaveLength(1)
  })

  it("a network file system is refused before anything is made in it", async ({ place }) => {
    pretendNfs(place)
    const home = place.at("on-nfs")
    mkdirSync(home, { mode: 0o700 })
    const refused = await refusal(() => place.open({ home }))
    expect(refused).toMatchObject({ code: "FOLDER_NETWORK", retryable: false })
    expect(refused.message).toContain("local")
    expect(readdirSync(home)).toEqual([])
  })

  it("a log that another process holds is a refusal to try again, and loses nothing", async ({ place }) => {
    const host = await place.open({ scenario: "st-17" })
    const session = await host.launch({ cwd: place.cwd })
    const before = place.log().length
    const other = new Database(join(place.home, "log.sqlite"))
    place.undo(() => other.close())
    other.exec("BEGIN IMMEDIATE")
    const refused = await refusal(() => place.send(session, "while it is locked", "order-1"))
    expect(refused).toMatchObject({ code: "STORE_LOCKED", retryable: true })
    expect(refused.message).toContain("Try again")
    other.exec("ROLLBACK")
    expect(place.log()).toHaveLength(before)
    const turn = place.send(session, "while it is locked", "order-1")
    expect(await place.result(turn)).toMatchObject({ outcome: "succeeded" })
    expect(place.noted("started")).toHaveLength(1)
  })

  it.runIf(canMount)("a read-only disk is refused, and says so", async ({ place }) => {
    disk(place, "2m")
    expect(mount("-o", "remount,ro", place.home)).toBe(true)
    const refused = await refusal(() => place.open())
    expect(refused).toMatchObject({ code: "FOLDER_READ_ONLY", retryable: false })
    expect(refused.message).toContain("Check the mount")
    expect(await refusal(() => place.open({ home: join(place.home, "inside") }))).toMatchObject({
      code: "FOLDER_READ_ONLY",
    })
  })

  it.runIf(canMount)(
    "a full disk refuses a prompt, loses nothing, and takes the same prompt later",
    async ({ place }) => {
      disk(place, "2m")
      const host = await place.open({ scenario: "st-17" })
      const session = await host.launch({ cwd: place.cwd })
      const before = place.log().length
      const filler = fill(place.home)
      const prompt = "no room for this one ".repeat(5_000)
      const refused = await refusal(() => place.send(session, prompt, "order-1"))
      expect(refused).toMatchObject({ code: "STORE_FULL", retryable: true })
      expect(refused.message).toContain("Make room")
      expect(session.turns()).toEqual([])
      rmSync(filler)
      expect(place.log()).toHaveLength(before)
      const turn = place.send(session, prompt, "order-1")
      expect(await place.result(turn)).toMatchObject({ outcome: "succeeded" })
      expect(place.noted("started")).toHaveLength(1)
    },
  )

  it.runIf(canMount)(
    "a disk that fills in the middle of a turn costs that turn at most, and exactly once",
    async ({ place }) => {
      disk(place, "2m")
      const gate = place.at("go-on")
      const scenario: Scenario = {
        turns: [
          {
            when: { promptIncludes: "first" },
            steps: [
              { do: "init" },
              { do: "text", text: "Before. " },
              { do: "waitForFile", path: gate },
              { do: "text", text: "After." },
              { do: "result" },
            ],
          },
          { steps: [{ do: "init" }, { do: "text", text: "There is room." }, { do: "result" }] },
        ],
      }
      const host = await place.open({ scenario })
      const session = await host.launch({ cwd: place.cwd })
      const turn = place.send(session, "the first prompt of two")
      await until(() => place.log().some(event => event.type === "spoke"))
      const filler = fill(place.home)
      writeFileSync(gate, "")
      // The agent found no room for its next line, and ended of it.
      await until(() => place.noted("exit").length > 0)
      rmSync(filler)
      const result = await place.result(turn)
      expect(["failed", "outcomeUnknown"]).toContain(result.outcome)
      expect(result.text).toMatch(/^Before\. /)
      expect(place.noted("started")).toHaveLength(1)
      if (session.status().state === "paused") await session.resume()
      expect((await place.take(session, "the other prompt")).result.text).toBe("There is room.")
    },
  )
})
