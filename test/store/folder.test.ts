import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { mountType, networkFileSystem } from "../../store/file-system.ts"
import { openStore } from "../../store/index.ts"
import { definitions, handClock, launch, openHost, temporaryFolder, withFile } from "./support.ts"

const write = (folder: string) =>
  openStore({ folder, definitions, mode: "write", clock: handClock(), host: "host-1" })
const read = (folder: string) => openStore({ folder, definitions, mode: "read" })
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const code = (expected: string) => expect.objectContaining({ code: expected })

describe.each([0o000, 0o022, 0o277])("with umask %o", umask => {
  let before = 0
  beforeEach(() => {
    before = process.umask(umask)
  })
  afterEach(() => {
    process.umask(before)
  })
  test("the folder is 0700 and every file in it 0600", async () => {
    const folder = temporaryFolder()
    process.umask(umask)
    const { store } = openHost(folder)
    await launch(store, "a")
    expect(modeOf(folder)).toBe("700")
    const files = readdirSync(folder)
    expect(files.toSorted()).toEqual(["log.sqlite", "log.sqlite-shm", "log.sqlite-wal"])
    for (const file of files) expect(modeOf(join(folder, file)), file).toBe("600")
  })
})

test.each([
  ["emptied", (path: string) => truncateSync(path)],
  ["removed", (path: string) => rmSync(path)],
])("a log that was %s is no new folder while there are runs beside it", async (_how, harm) => {
  const folder = temporaryFolder()
  const { store } = openHost(folder)
  await launch(store, "a")
  store.close()
  mkdirSync(join(folder, "runs", "t1.1"), { recursive: true })
  harm(join(folder, "log.sqlite"))
  for (const open of [read, write]) expect(() => open(folder)).toThrow(code("FOLDER_LOG_GONE"))
})

test("a reader says that there is nothing yet, and creates nothing", () => {
  const folder = temporaryFolder()
  expect(() => read(folder)).toThrow(code("FOLDER_MISSING"))
  mkdirSync(folder, { mode: 0o700 })
  expect(() => read(folder)).toThrow(code("FOLDER_MISSING"))
  expect(readdirSync(folder)).toEqual([])
  writeFileSync(join(folder, "log.sqlite"), "")
  expect(() => read(folder)).toThrow(code("FOLDER_MISSING"))
})

test("a folder that others may enter, or that is a file, is refused and left alone", () => {
  const folder = temporaryFolder()
  mkdirSync(folder)
  chmodSync(folder, 0o750)
  expect(() => write(folder)).toThrow(code("FOLDER_MODE"))
  expect(() => read(folder)).toThrow(/chmod 700/)
  expect(readdirSync(folder)).toEqual([])
  const file = join(temporaryFolder(), "..", "file")
  writeFileSync(file, "mine")
  expect(() => write(file)).toThrow(code("FOLDER_NOT_OURS"))
})

test("a database or a file that is not ours is refused and left alone", () => {
  const other = temporaryFolder()
  mkdirSync(other, { mode: 0o700 })
  withFile(other, db => db.exec("CREATE TABLE theirs (x)"))
  expect(() => write(other)).toThrow(code("FOLDER_NOT_OURS"))
  withFile(other, db => {
    expect(db.pragma("journal_mode", { simple: true })).toBe("delete")
    expect(db.prepare("SELECT count(*) AS n FROM sqlite_master").get()).toEqual({ n: 1 })
  })
  const text = temporaryFolder()
  mkdirSync(text, { mode: 0o700 })
  writeFileSync(join(text, "log.sqlite"), "a diary, and no database at all. ".repeat(100))
  expect(() => write(text)).toThrow(code("FOLDER_NOT_OURS"))
  expect(() => read(text)).toThrow(code("FOLDER_NOT_OURS"))
})

test("a log of a newer version is refused by writer and reader", () => {
  const folder = temporaryFolder()
  write(folder).close()
  withFile(folder, db => db.pragma("user_version = 99"))
  expect(() => write(folder)).toThrow(code("FOLDER_NEWER"))
  expect(() => read(folder)).toThrow(/newer version/)
})

test("network file systems are known by their type, FUSE by its name in the mount table", () => {
  const never = () => {
    throw new Error("not asked")
  }
  const local = [0xef53, 0x9123683e, 0x58465342, 0x01021994, 0x794c7630]
  for (const type of local) expect(networkFileSystem(type, never)).toBeNull()
  expect(networkFileSystem(0x6969, never)).toBe("nfs")
  expect(networkFileSystem(0xff534d42 | 0, never)).toBe("cifs")
  expect(networkFileSystem(0xfe534d42, never)).toBe("smb2")
  expect(networkFileSystem(0x01021997, never)).toBe("9p")
  expect(networkFileSystem(0x65735546, () => "fuse.sshfs")).toBe("fuse.sshfs")
  expect(networkFileSystem(0x65735546, () => "fuse.gocryptfs")).toBeNull()
  const table = [
    "22 1 8:1 / / rw - ext4 /dev/sda1 rw",
    "30 22 0:40 / /home/me/far\\040away rw,nosuid shared:1 - fuse.sshfs me@host: rw",
  ].join("\n")
  expect(mountType("/home/me/far away/state", table)).toBe("fuse.sshfs")
  expect(mountType("/home/me/far away too", table)).toBe("ext4")
})

test("the settings that durability rests on are what they must be", async () => {
  const { db } = openHost(temporaryFolder())
  const pragma = (name: string) => db.pragma(name, { simple: true })
  expect([pragma("journal_mode"), pragma("synchronous"), pragma("secure_delete")]).toEqual(["wal", 2, 1])
  expect(
    db
      .prepare(
        "SELECT count(*) AS n FROM pragma_table_list WHERE strict = 0 AND schema = 'main' AND name NOT LIKE 'sqlite_%'",
      )
      .get(),
  ).toEqual({ n: 0 })
})

test("opening is refused, and nothing lost, while another program holds the file", () => {
  const folder = temporaryFolder()
  write(folder).close()
  const holder = new Database(join(folder, "log.sqlite"))
  holder.pragma("locking_mode = EXCLUSIVE")
  holder.exec("BEGIN EXCLUSIVE")
  expect(() => read(folder)).toThrow(code("STORE_LOCKED"))
  holder.close()
  read(folder).close()
})
