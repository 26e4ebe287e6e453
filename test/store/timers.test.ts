import { expect, test } from "vitest"
import { handClock, launch, openHost, send, startRun, temporaryFolder } from "./support.ts"

async function running() {
  const clock = handClock()
  const folder = temporaryFolder()
  const { store } = openHost(folder, { clock })
  await launch(store, "a")
  await send(store, "a", "t1", "hello")
  await startRun(store, "t1")
  return { clock, folder, store }
}

test("timers become due by the store's clock, in the order in which they were armed", async () => {
  const { clock, store } = await running()
  expect(store.dueTimers()).toEqual([])
  expect(store.nextTimers().map(({ timer, inMs }) => [timer.id, inMs])).toEqual([
    ["firstOutput", 1_000],
    ["total", 60_000],
  ])
  clock.pass(999)
  expect(store.dueTimers()).toEqual([])
  clock.pass(1)
  expect(store.dueTimers().map(({ id }) => id)).toEqual(["firstOutput"])
  clock.pass(60_000)
  expect(store.dueTimers().map(({ id }) => id)).toEqual(["firstOutput", "total"])
  expect(store.nextTimers()).toEqual([])
})

test("I29: a timer keeps its age across a restart, and is nobody else's business before the claim", async () => {
  const { clock, folder, store } = await running()
  clock.pass(700)
  store.close()
  const next = openHost(folder, { clock, host: "host-2" }).store
  expect(next.nextTimers()).toEqual([])
  next.claimSessions({ agents: ["rehearsal"], isHostDead: () => true })
  expect(next.nextTimers()[0]).toMatchObject({ inMs: 300, timer: { id: "firstOutput" } })
})
