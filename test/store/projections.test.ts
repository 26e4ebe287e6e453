import { expect, test } from "vitest"
import { finishRun, handClock, launch, openHost, send, startRun, temporaryFolder } from "./support.ts"

test("a turn's row tells its place, its outcome and when it was settled, and late news changes none of it", async () => {
  const clock = handClock()
  const { store } = openHost(temporaryFolder(), { clock })
  await launch(store, "a")
  await send(store, "a", "t1", "one")
  await send(store, "a", "t2", "two")
  await startRun(store, "t1")
  clock.pass(5_000)
  await finishRun(store, "a", "t1", "reply")
  const settled = store.turn("t1")
  expect(settled).toMatchObject({
    ordinal: 1,
    state: "succeeded",
    outcome: "succeeded",
    runs: 1,
    failure: null,
    degraded: null,
    createdAt: 1_700_000_000_000,
    settledAt: 1_700_000_005_000,
  })
  expect(store.turn("t2")).toMatchObject({ ordinal: 2, outcome: null, settledAt: null, usage: null })
  expect(store.session("a")).toMatchObject({ currentTurn: "t2", queued: 0, conversation: "chat-a" })

  clock.pass(5_000)
  await store.submit({ stream: "turn:t1", inputs: [{ type: "unblock" }], actor: "host" })
  expect(store.turn("t1")).toEqual(settled)
  expect(store.session("a")).toMatchObject({ updatedAt: 1_700_000_010_000 })
  expect(store.turn("unknown")).toBeNull()
  expect(store.session("unknown")).toBeNull()
})
