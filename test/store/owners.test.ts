import { expect, test } from "vitest"
import { command, launch, openHost, rejection, send, temporaryFolder } from "./support.ts"

const agents = ["rehearsal"]
const dead = () => true
const alive = () => false

test("I17, I35: a second host can neither step nor claim what a live first one owns", async () => {
  const folder = temporaryFolder()
  const first = openHost(folder).store
  await launch(first, "a")
  const second = openHost(folder, { host: "host-2" }).store
  expect(second.claimSessions({ agents, isHostDead: alive })).toEqual([])
  const error = await rejection(second.submit(command("a", "pause")))
  expect(error).toMatchObject({ _tag: "Deposed", code: "DEPOSED", session: "a", owner: "host-1" })
  expect(await rejection(second.submit({ ...command("a", "pause"), actor: "host" }))).toMatchObject({
    code: "DEPOSED",
  })
  expect(await first.submit(command("a", "pause"))).toMatchObject({ version: 2 })
})

test("I35: the epoch fences a host that was taken for dead, also in the middle of its cached streams", async () => {
  const folder = temporaryFolder()
  const first = openHost(folder).store
  await launch(first, "a")
  await send(first, "a", "t1", "hello")
  const second = openHost(folder, { host: "host-2" }).store
  expect(second.claimSessions({ agents, isHostDead: dead })).toEqual([
    { session: "a", agent: "rehearsal", epoch: 2, previousHost: "host-1" },
  ])
  expect(await second.submit(command("a", "pause"))).toMatchObject({ version: 3 })
  for (const stream of ["session:a", "turn:t1", "run:t1.1"]) {
    const error = await rejection(first.submit({ stream, inputs: [{ type: "interrupt" }], actor: "host" }))
    expect(error, stream).toMatchObject({ code: "DEPOSED", owner: "host-2" })
  }
  expect(first.owns("a")).toBe(false)
  expect(first.takeInbox()).toEqual([])
  expect(second.verify().ok).toBe(true)
  // And back: the first host must not go on from what it remembers of before.
  second.releaseSessions()
  expect(first.claimSessions({ agents, isHostDead: alive })).toMatchObject([{ epoch: 3, previousHost: null }])
  expect(await first.submit(command("a", "resume"))).toMatchObject({ duplicate: false })
  expect(first.verify().ok).toBe(true)
})

test("I35: what a host remembers of a session is worth nothing after somebody else owned it", async () => {
  const folder = temporaryFolder()
  const first = openHost(folder).store
  await launch(first, "a")
  const second = openHost(folder, { host: "host-2" }).store
  second.claimSessions({ agents, isHostDead: dead })
  await second.submit(command("a", "pause"))
  second.releaseSessions()
  first.claimSessions({ agents, isHostDead: alive })
  expect(await first.submit(command("a", "resume"))).toMatchObject({ version: 3, state: "ready" })
})

test("I35: the epoch tells two hosts apart even when both use one id", async () => {
  const folder = temporaryFolder()
  const first = openHost(folder).store
  await launch(first, "a")
  const twin = openHost(folder).store
  expect(twin.claimSessions({ agents, isHostDead: alive })).toMatchObject([{ epoch: 2 }])
  expect(await rejection(first.submit(command("a", "pause")))).toMatchObject({ code: "DEPOSED" })
  expect(await twin.submit(command("a", "pause"))).toMatchObject({ version: 2 })
})

test("I35: without the fence both hosts would write (the planted fault)", async () => {
  const folder = temporaryFolder()
  const first = openHost(folder)
  await launch(first.store, "a")
  const second = openHost(folder, { host: "host-2" }).store
  second.claimSessions({ agents, isHostDead: dead })
  first.db.exec("UPDATE owners SET host = 'host-1', epoch = 1") // what the fence looks at, turned back
  expect(await first.store.submit(command("a", "pause"))).toMatchObject({ version: 2 })
  expect(await rejection(second.submit(command("a", "pause")))).toMatchObject({ code: "DEPOSED" })
})

test("I35: verify shows what a deposed host would have written", async () => {
  const folder = temporaryFolder()
  const first = openHost(folder)
  await launch(first.store, "a")
  const second = openHost(folder, { host: "host-2" }).store
  second.claimSessions({ agents, isHostDead: dead })
  await second.submit(command("a", "pause"))
  expect(second.verify().ok).toBe(true)
  first.db.exec("UPDATE owners SET host = 'host-1', epoch = 1")
  first.store.claimSessions({ agents, isHostDead: dead })
  await rejection(first.store.submit(command("a", "pause")))
  await first.store.submit(command("a", "resume"))
  const { problems } = first.store.verify()
  expect(problems).toMatchObject([{ code: "EPOCH_FALLS_BACK", column: "epoch", position: 3 }])
})

test("I36: only sessions of registered agents are claimed", async () => {
  const folder = temporaryFolder()
  const first = openHost(folder).store
  await launch(first, "a", "cursor")
  await launch(first, "b", "rehearsal")
  first.close()
  const second = openHost(folder, { host: "host-2" }).store
  expect(second.claimSessions({ agents, isHostDead: dead }).map(({ session }) => session)).toEqual(["b"])
  expect(second.owns("a")).toBe(false)
})

test("released sessions can be claimed by anybody, and their old host writes nothing more", async () => {
  const folder = temporaryFolder()
  const first = openHost(folder).store
  await launch(first, "a")
  first.releaseSessions()
  expect(await rejection(first.submit(command("a", "pause")))).toMatchObject({ code: "DEPOSED", owner: null })
  const second = openHost(folder, { host: "host-2" }).store
  expect(second.claimSessions({ agents, isHostDead: alive })).toMatchObject([{ session: "a", epoch: 2 }])
})

test("a session id that exists is not launched by another host", async () => {
  const folder = temporaryFolder()
  const first = openHost(folder).store
  await launch(first, "a")
  const second = openHost(folder, { host: "host-2" }).store
  const again = { ...command("a", "pause"), inputs: [{ type: "pause" }] }
  expect(await rejection(second.submit(again))).toMatchObject({ code: "DEPOSED" })
})
