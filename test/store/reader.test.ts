import { fork } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { expect, test } from "vitest"
import { openStore, type Reader } from "../../store/index.ts"
import { command, definitions, launch, openHost, send, smallLog, temporaryFolder } from "./support.ts"

/** Follow from a cursor in small pages until there is no more. */
function follow(reader: Reader, after: number, limit: number, session?: string): number[] {
  const seen: number[] = []
  for (let cursor = after; ; cursor = seen.at(-1) ?? cursor) {
    const page = reader.readEvents({ after: cursor, limit, session })
    seen.push(...page.map(({ position }) => position))
    if (page.length < limit) return seen
  }
}

test("I7: a reader that reconnects with its cursor misses nothing and sees nothing twice", async () => {
  const folder = temporaryFolder()
  const { store } = openHost(folder)
  await smallLog(store)
  const seen: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const reader = openStore({ folder, definitions, mode: "read" })
    seen.push(...follow(reader, seen.at(-1) ?? 0, 3))
    reader.close()
    await send(store, "a", `more-${round}`, "more")
  }
  expect(seen).toEqual(seen.map((_, index) => index + 1))
  expect(seen.length).toBeGreaterThan(30)
})

test("I7: one session's events come in order, whatever happens in between", async () => {
  const folder = temporaryFolder()
  const { store } = openHost(folder)
  await smallLog(store)
  const all = store.readEvents({ after: 0, limit: 1_000 })
  for (const session of ["a", "b", "c"]) {
    const mine = all.filter(({ stream }) => stream.includes(`:${session}`)).map(({ position }) => position)
    expect(follow(store, 0, 4, session)).toEqual(mine)
    expect(follow(store, 10, 4, session)).toEqual(mine.filter(position => position > 10))
  }
  expect(follow(store, 0, 10, "nobody")).toEqual([])
})

test("I7: a reader in another process sees a prefix at every moment while the host writes", async () => {
  const folder = temporaryFolder()
  const { store } = openHost(folder)
  await launch(store, "a")
  const child = fork(new URL("./fixtures/follower.ts", import.meta.url), [folder, "200"], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  })
  const answer = once(child, "message")
  for (let index = 0; store.lastPosition() < 200; index += 1)
    await store.submit(command("a", index % 2 === 0 ? "pause" : "resume"))
  expect(await answer).toEqual([{ gapFree: true, last: 200 }, undefined])
  await once(child, "exit")
})

test("a reader takes no lock, leaves no file of its own, and cannot write", async () => {
  const folder = temporaryFolder()
  const { store } = openHost(folder)
  await launch(store, "a")
  const before = readdirSync(folder)
  const reader = openStore({ folder, definitions, mode: "read" })
  expect(reader.session("a")).toMatchObject({ state: "ready", agent: "rehearsal" })
  expect(await send(store, "a", "t1", "hello")).toMatchObject({ state: "busy" })
  expect(reader.session("a")).toMatchObject({ state: "busy", currentTurn: "t1" })
  expect(reader.turns("a")).toMatchObject([{ turn: "t1", ordinal: 1, state: "preparing", outcome: null }])
  expect(reader.verify()).toMatchObject({ ok: true, events: 5 })
  expect(readdirSync(folder)).toEqual(before)
  expect(() => reader.keyedDigest("new", "x")).toThrow(expect.objectContaining({ code: "STREAM_UNKNOWN" }))
  reader.close()
})

test("rows for export are the stored ones, with hashes that anybody can check", async () => {
  const { store } = openHost(temporaryFolder())
  await smallLog(store)
  const rows = store.rawEvents({ after: 0, limit: 1_000 })
  expect(rows.at(-1)).toMatchObject(store.head())
  expect(rows.map(({ prev }) => prev).slice(1)).toEqual(rows.map(({ hash }) => hash).slice(0, -1))
})
