/** `doctor`: each thing that can be wrong is found, named with the next step, and left as it is. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { space } from "../../../adapters/cli/doctor/folder.ts"
import { shell } from "../../../adapters/cli/doctor/machine.ts"
import { type Surroundings, survival, unitOf } from "../../../adapters/cli/doctor/survival.ts"
import { lockHost } from "../../../store/index.ts"
import { launch } from "../../store/support.ts"
import { makePlace, type Place } from "../harness.ts"
import { ofType } from "../lines.ts"
import { append, placeWithLog, tamper, treeOf } from "./support.ts"

const secret = "key_that_nobody_may_see"
beforeEach(() => {
  for (const name of ["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN", "CODEX_API_KEY", "OPENAI_API_KEY", "CI"])
    vi.stubEnv(name, "")
  for (const name of ["HOLDFAST_CURSOR_BIN", "HOLDFAST_CODEX_BIN"]) vi.stubEnv(name, "/nowhere/agent")
})
afterEach(() => void vi.unstubAllEnvs())

/** A program that says the version of Cursor's CLI, and nothing else. */
function installCursor(place: Place): void {
  const path = join(place.root, "cursor-agent")
  writeFileSync(path, "#!/bin/sh\necho 2026.09.28-4e6f1ab\n", { mode: 0o755 })
  vi.stubEnv("HOLDFAST_CURSOR_BIN", path)
}

async function examine(place: Place, ...words: readonly string[]) {
  const { code, lines } = await place.ask("doctor", "--json", ...words)
  const findings = ofType(lines, "finding")
  const level = (name: string) => findings.filter(one => one.code === name).map(one => one.level)
  return { code, findings, level, last: lines.at(-1), messages: findings.map(one => one.message).join("\n") }
}

describe("doctor", () => {
  it("finds nothing wrong where everything is ready, and tells no secret", async () => {
    const place = await placeWithLog()
    installCursor(place)
    vi.stubEnv("CURSOR_API_KEY", secret)
    tamper(place, "UPDATE sessions SET current_turn = NULL")
    const { code, level, last, messages } = await examine(place)
    for (const name of ["NODE", "SHELL", "PROCESSES", "FOLDER", "SPACE", "LOG_END", "HOSTS", "WORK"])
      expect(level(name), name).toEqual(["fine"])
    expect(level("AGENT_READY")).toEqual(["fine", "fine"])
    expect(messages).toContain("cursor 2026.09.28-4e6f1ab is ready")
    expect(messages).not.toContain(secret)
    expect(last).toMatchObject({ type: "doctor", ok: true, broken: 0 })
    expect(code).toBe(0)
    const words = await place.ask("doctor")
    expect(words.text).toMatch(/^✓ Node \d/)
    expect(words.text).not.toContain(secret)
  })

  it("changes nothing, and makes no folder", async () => {
    const place = makePlace()
    await examine(place)
    expect(existsSync(place.home)).toBe(false)
    const other = await placeWithLog()
    const before = treeOf(other.home)
    await examine(other)
    expect(treeOf(other.home)).toEqual(before)
  })

  it("a missing key matters to the agents that are used or asked for, and only there", async () => {
    const place = makePlace()
    installCursor(place)
    await append(place, store => launch(store, "s"))
    const unused = await examine(place)
    expect([unused.code, unused.level("KEY_MISSING")]).toEqual([0, ["warning"]])
    const asked = await examine(place, "--agent", "cursor")
    expect([asked.code, asked.level("KEY_MISSING")]).toEqual([1, ["broken"]])
    expect(asked.level("AGENT_READY")).toEqual([])
    const other = await examine(place, "--agent", "rehearsal")
    expect([other.code, other.level("AGENT_READY"), other.level("KEY_MISSING")]).toEqual([0, ["fine"], []])
    await append(place, store => launch(store, "t", "cursor"))
    const used = await examine(place)
    expect([used.code, used.level("KEY_MISSING"), used.last?.broken]).toEqual([1, ["broken"], 1])
  })

  it("says so when no agent is ready at all", async () => {
    const { code, level } = await examine(makePlace())
    expect([code, level("AGENT_NONE_READY")]).toEqual([1, ["broken"]])
    expect(level("BINARY_NOT_FOUND").every(one => one === "warning")).toBe(true)
  })

  it("finds a folder that others may enter, and one that is not ours", async () => {
    const place = makePlace()
    mkdirSync(place.home)
    chmodSync(place.home, 0o755)
    const open = await examine(place)
    expect([open.code, open.level("FOLDER_MODE"), open.messages.includes("chmod 700")]).toEqual([
      1,
      ["broken"],
      true,
    ])
    chmodSync(place.home, 0o700)
    expect((await examine(place)).level("FOLDER")).toEqual(["fine"])
    writeFileSync(join(place.home, "log.sqlite"), "notes ".repeat(200), { mode: 0o600 })
    expect((await examine(place)).level("FOLDER_NOT_OURS")).toEqual(["broken"])
  })

  it("a log of an older version is only to be migrated, one of a newer version is of no use here", async () => {
    const place = await placeWithLog()
    installCursor(place)
    vi.stubEnv("CURSOR_API_KEY", secret)
    tamper(place, "PRAGMA user_version = 0")
    const older = await examine(place)
    expect([older.code, older.level("FOLDER_OLDER")]).toEqual([0, ["warning"]])
    tamper(place, "PRAGMA user_version = 9999")
    const newer = await examine(place)
    expect([newer.code, newer.level("FOLDER_NEWER")]).toEqual([1, ["broken"]])
  })

  it("finds work that a dead host left, without calling it broken", async () => {
    const { code, findings } = await examine(await placeWithLog())
    const left = findings.filter(one => one.code === "WORK_LEFT")
    expect(left).toMatchObject([
      { level: "warning", message: expect.stringContaining("b (rehearsal) busy: left by a dead host") },
      { level: "warning", message: expect.stringContaining("c (rehearsal) busy: left by a dead host") },
    ])
    expect(code).toBe(0)
  })

  it("finds an end of the log that was changed, and one that was cut out", async () => {
    const place = await placeWithLog()
    tamper(place, "UPDATE events SET at = at + 1 WHERE position = (SELECT max(position) FROM events)")
    const edited = await examine(place)
    expect([edited.code, edited.level("LOG_END")]).toEqual([1, ["broken"]])
    const other = await placeWithLog()
    tamper(other, "DELETE FROM events WHERE position = (SELECT max(position) - 1 FROM events)")
    expect((await examine(other)).level("LOG_END")).toEqual(["broken"])
  })

  it("finds a stream that was set aside", async () => {
    const place = await placeWithLog()
    tamper(place, "INSERT INTO quarantine VALUES ('turn:a1', 7, 'BAD_JSON')")
    const { code, level, messages } = await examine(place)
    expect([code, level("QUARANTINED")]).toEqual([1, ["broken"]])
    expect(messages).toContain("turn:a1 cannot be used from position 7 on (BAD_JSON)")
  })

  it("names the hosts that live", async () => {
    const place = await placeWithLog()
    const lock = lockHost(place.home, "at-work")
    const { messages } = await examine(place)
    lock.release()
    expect(messages).toContain("At work: at-work.")
    expect((await examine(place)).messages).toContain("No host is at work.")
  })
})

describe("whether an agent outlives its host here", () => {
  const free: Surroundings = { cgroup: "", init: "systemd", container: false, ci: false, killMode: () => "" }
  const codes = (given: Partial<Surroundings>) => survival({ ...free, ...given }).map(({ code }) => code)
  const unit = "0::/system.slice/builds.service\n"

  it.each([
    ["nothing special", {}, ["SURVIVAL"]],
    ["a terminal", { cgroup: "0::/user.slice/user-1000.slice/session-3.scope\n" }, ["SURVIVAL"]],
    ["a unit of systemd's default", { cgroup: unit, killMode: () => "control-group" }, ["KILL_MODE"]],
    ["a unit that systemd says nothing of", { cgroup: unit }, ["KILL_MODE"]],
    ["a unit that leaves its children", { cgroup: unit, killMode: () => "process" }, ["SURVIVAL"]],
    ["a container", { container: true, init: "node" }, ["CONTAINER_WITHOUT_INIT"]],
    ["a container with an init", { container: true, init: "tini" }, ["SURVIVAL"]],
    [
      "a CI runner in a container",
      { container: true, init: "sh", ci: true },
      ["CONTAINER_WITHOUT_INIT", "CI_RUNNER"],
    ],
  ])("%s", (_, given, expected) => {
    expect(codes(given)).toEqual(expected)
  })

  it.each([
    ["0::/system.slice/builds.service", { name: "builds.service", user: false }],
    [
      "0::/user.slice/user-1000.slice/user@1000.service/app.slice/builds.service",
      { name: "builds.service", user: true },
    ],
    ["0::/user.slice/user-1000.slice/user@1000.service/app.slice/terminal.scope", null],
    ["12:cpu:/x.service\n1:name=systemd:/system.slice/old.service", { name: "old.service", user: false }],
    ["0::/", null],
    ["", null],
  ])("the unit in %j", (cgroup, expected) => {
    expect(unitOf(cgroup)).toEqual(expected)
  })
})

it("a shell that is none, and a disk that is full, are broken", () => {
  expect(shell("/bin/sh").level).toBe("fine")
  expect(shell("/nowhere/sh")).toMatchObject({ level: "broken", code: "SHELL_UNUSABLE" })
  expect(shell("/bin/true").level).toBe("broken")
  const gib = 1024 ** 3
  expect([0, gib / 100, gib / 2, 2 * gib].map(free => space(free).level)).toEqual([
    "broken",
    "broken",
    "warning",
    "fine",
  ])
})
