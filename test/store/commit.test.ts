import { expect, test } from "vitest"
import type { CommitRange } from "../../store/index.ts"
import { command, launch, openHost, rejection, send, temporaryFolder, withFile } from "./support.ts"

test("commands of one moment share one commit, and one rejected among them hurts nobody", async () => {
  const { store } = openHost(temporaryFolder())
  const ranges: CommitRange[] = []
  store.onCommit(range => ranges.push(range))
  const ids = Array.from({ length: 50 }, (_, index) => `s${index}`)
  const good = Promise.all(ids.map(id => launch(store, id)))
  const bad = rejection(store.submit(command("unknown", "pause", "c")))
  const late = launch(store, "late")
  expect(await bad).toMatchObject({ code: "SESSION_UNKNOWN" })
  expect((await good).map(({ position }) => position)).toEqual(ids.map((_, index) => index + 1))
  expect((await late).position).toBe(51)
  expect(ranges).toEqual([{ from: 1, to: 51 }])
  expect(store.verify().ok).toBe(true)
})

test("I7: commits are published in order, without gap, before their callers hear of them", async () => {
  const folder = temporaryFolder()
  const { store } = openHost(folder)
  const other = openHost(folder, { host: "host-2" }).store
  const told: (CommitRange | string)[] = []
  const stop = store.onCommit(range => told.push(range))
  await launch(store, "a").then(() => told.push("a"))
  await launch(other, "b")
  await send(store, "a", "t1", "hello").then(() => told.push("t1"))
  expect(told).toEqual([{ from: 1, to: 1 }, "a", { from: 2, to: 6 }, "t1"])
  stop()
  await store.submit(command("a", "pause"))
  expect(told).toHaveLength(4)
})

test("a listener that fails is reported and disturbs nobody", async () => {
  const { store } = openHost(temporaryFolder())
  const warned = new Promise<Error>(resolve => process.once("warning", resolve))
  const seen: number[] = []
  store.onCommit(() => {
    throw new Error("listener")
  })
  store.onCommit(({ to }) => seen.push(to))
  expect((await launch(store, "a")).position).toBe(1)
  expect(seen).toEqual([1])
  expect((await warned).message).toBe("listener")
})

test("a commit that fails rejects its callers, publishes nothing, and nothing is built upon it", async () => {
  const folder = temporaryFolder()
  const { store, db } = openHost(folder)
  await launch(store, "a")
  const ranges: CommitRange[] = []
  store.onCommit(range => ranges.push(range))
  const pages = Number(db.pragma("page_count", { simple: true }))
  db.pragma(`max_page_count = ${pages}`)
  const errors = await Promise.all([
    rejection(store.submit(command("a", "pause", "c"))),
    rejection(send(store, "a", "t1", "x".repeat(200_000))),
    rejection(launch(store, "b")),
  ])
  for (const error of errors)
    expect(error).toMatchObject({ _tag: "StoreUnavailable", code: "STORE_FULL", retryable: true })
  expect(ranges).toEqual([])
  expect(withFile(folder, file => file.prepare("SELECT count(*) AS n FROM events").get())).toEqual({ n: 1 })

  db.pragma("max_page_count = 1000000")
  // Were the rolled-back `pause` still believed, it would be refused here as already paused.
  expect(await store.submit(command("a", "pause", "c"))).toMatchObject({ duplicate: false, version: 2 })
  expect(await launch(store, "b")).toMatchObject({ position: 3 })
  expect(store.verify().ok).toBe(true)
})

test("what waits is committed by close, and nothing is taken after it", async () => {
  const folder = temporaryFolder()
  const { store } = openHost(folder)
  const waiting = launch(store, "a")
  store.close()
  expect(await waiting).toMatchObject({ position: 1 })
  expect(await rejection(launch(store, "b"))).toMatchObject({ code: "STORE_CLOSED" })
})
