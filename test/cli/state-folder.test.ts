/** A state folder that cannot be used: every verb says why and what to do, and leaves it as it is. */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { describe, expect, it } from "vitest"
import { makePlace, type Place, rehearse } from "./harness.ts"
import { ofType } from "./lines.ts"

const logOf = (place: Place) => join(place.home, "log.sqlite")
const asked = async (place: Place, words: readonly string[]) => {
  const { code, lines } = await place.ask(...words)
  return [code, ofType(lines, "error")[0]?.code]
}

const asRoot = process.getuid?.() === 0
/** The super-user may write everywhere but on a disk that is mounted read-only. */
const canForbid =
  !asRoot || spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0

describe("a state folder", () => {
  it("that holds something else is not ours", async () => {
    const place = makePlace()
    mkdirSync(place.home, { mode: 0o700 })
    writeFileSync(logOf(place), "somebody's notes, and long enough to be looked at ".repeat(20), {
      mode: 0o600,
    })
    const before = readFileSync(logOf(place))
    expect(await asked(place, rehearse("s", "hi"))).toEqual([2, "FOLDER_NOT_OURS"])
    expect(await asked(place, ["sessions", "--json"])).toEqual([2, "FOLDER_NOT_OURS"])
    expect(readFileSync(logOf(place))).toEqual(before)
  })

  it("of a newer version asks for a newer program", async () => {
    const place = makePlace()
    await place.run(rehearse("s", "hi"), { scenario: "st-17" })
    const db = new Database(logOf(place))
    db.pragma("user_version = 9999")
    db.close()
    expect(await asked(place, rehearse("t", "hi"))).toEqual([2, "FOLDER_NEWER"])
    expect(await asked(place, ["log", "--json"])).toEqual([2, "FOLDER_NEWER"])
  })

  it("that others may enter is refused until that is put right", async () => {
    const place = makePlace()
    mkdirSync(place.home)
    chmodSync(place.home, 0o755)
    expect(await asked(place, rehearse("s", "hi"))).toEqual([2, "FOLDER_MODE"])
    chmodSync(place.home, 0o700)
    expect(await asked(place, ["sessions", "--json"])).toEqual([0, undefined])
  })

  it("that somebody keeps locked is worth another try", async () => {
    const place = makePlace()
    await place.run(rehearse("s", "hi"), { scenario: "st-17" })
    const db = new Database(logOf(place))
    db.exec("BEGIN IMMEDIATE")
    const ended = await place.run(rehearse("t", "hi"))
    db.exec("ROLLBACK")
    db.close()
    expect(ofType(ended.lines(), "error")[0]).toMatchObject({ code: "STORE_LOCKED", retryable: true })
    expect(ended.code).toBe(1)
    expect((await place.ask("verify", "--json")).code).toBe(0)
  })

  it("whose log was changed does not verify, and says where", async () => {
    const place = makePlace()
    await place.run(rehearse("s", "hi"), { scenario: "st-17" })
    const db = new Database(logOf(place))
    db.exec("UPDATE events SET at = at + 1 WHERE position = 3")
    db.close()
    const { code, lines } = await place.ask("verify", "--json")
    expect(code).toBe(1)
    expect(lines[0]).toMatchObject({ type: "problem", position: 3, code: "HASH_DIFFERS" })
    expect(lines.at(-1)).toMatchObject({ type: "verified", ok: false })
  })

  it.skipIf(!canForbid)("that cannot be written is said to be so", async () => {
    const place = makePlace()
    const allow = forbidWriting(place.home)
    try {
      expect(await asked(place, rehearse("t", "hi"))).toEqual([2, "FOLDER_READ_ONLY"])
    } finally {
      allow()
    }
  })
})

/** Gives what undoes it. */
function forbidWriting(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!asRoot) {
    chmodSync(folder, 0o500)
    return () => chmodSync(folder, 0o700)
  }
  const status = spawnSync("mount", ["-t", "tmpfs", "-o", "ro,mode=0700", "tmpfs", folder]).status
  expect(status).toBe(0)
  return () => spawnSync("umount", [folder])
}
