import { describe, expect, test } from "vitest"
import type { Db } from "../../store/database.ts"
import { openStore } from "../../store/index.ts"
import {
  command,
  definitions,
  launch,
  openHost,
  rejection,
  send,
  smallLog,
  temporaryFolder,
} from "./support.ts"

const damages: Readonly<Record<string, (db: Db) => unknown>> = {
  BAD_JSON: db => db.exec("UPDATE events SET data = '{' WHERE stream = 'turn:b1' AND version = 2"),
  BAD_ROW: db => db.exec("UPDATE events SET actor = 'nobody' WHERE stream = 'turn:b1' AND version = 2"),
  UNKNOWN_TYPE: db => db.exec("UPDATE events SET type = 'mystery' WHERE stream = 'turn:b1' AND version = 2"),
  UNKNOWN_MACHINE: db =>
    db.exec("UPDATE events SET machine = 'mystery' WHERE stream = 'turn:b1' AND version = 2"),
  FUTURE_VERSION: db =>
    db.exec("UPDATE events SET machine_version = 99 WHERE stream = 'turn:b1' AND version = 2"),
  INVALID_DATA: db => db.exec(`UPDATE events SET data = '{"x":1}' WHERE stream = 'turn:b1' AND version = 2`),
  TO_DIFFERS: db =>
    db.exec("UPDATE events SET to_state = 'running' WHERE stream = 'turn:b1' AND version = 2"),
  VERSION_GAP: db => db.exec("UPDATE events SET version = 9 WHERE stream = 'turn:b1' AND version = 2"),
}

describe.each(Object.entries(damages))("I6: one row with %s", (reason, damage) => {
  test("quarantines its stream, and everything else opens and works", async () => {
    const folder = temporaryFolder()
    const first = openHost(folder)
    await smallLog(first.store)
    damage(first.db)
    first.store.close()

    const { store } = openHost(folder, { host: "host-2" })
    expect(store.claimSessions({ agents: ["rehearsal"], isHostDead: () => true })).toHaveLength(3)
    const touched = await rejection(
      store.submit({ stream: "turn:b1", inputs: [{ type: "unblock" }], actor: "host" }),
    )
    expect(touched).toMatchObject({ _tag: "StreamQuarantined", stream: "turn:b1", reason })
    expect(store.quarantined()).toMatchObject([{ stream: "turn:b1", reason }])
    // A send into it is refused as a whole, so that nothing half-done is recorded.
    const before = store.lastPosition()
    const interrupt = {
      stream: "session:b",
      inputs: [{ type: "interrupt", turn: "b1" }],
      actor: "user",
    } as const
    expect(await rejection(store.submit(interrupt))).toMatchObject({ code: "STREAM_QUARANTINED" })
    expect(store.lastPosition()).toBe(before)

    expect(await send(store, "a", "a2", "still works")).toMatchObject({ state: "busy" })
    expect(await launch(store, "d")).toMatchObject({ state: "ready" })
    const bad = store.verify().problems.filter(({ stream }) => stream === "turn:b1")
    expect(bad.map(({ code }) => code)).toContain(reason)
    expect(store.rebuild()).toMatchObject({ quarantined: 1 })
    expect(store.quarantined()).toMatchObject([{ stream: "turn:b1", reason }])
    store.close()
  })
})

test("I6: a reader gets the rows that it can read, and is told of the one it cannot", async () => {
  const folder = temporaryFolder()
  const { store, db } = openHost(folder)
  await smallLog(store)
  damages.BAD_JSON?.(db)
  db.exec("UPDATE sessions SET queued = -1 WHERE session = 'a'; UPDATE outbox SET params = '{'")
  const reader = openStore({ folder, definitions, mode: "read" })
  const events = reader.readEvents({ after: 0, limit: 1_000 })
  expect(events).toHaveLength(store.lastPosition())
  expect(events.filter(event => event.undecodable)).toMatchObject([{ stream: "turn:b1", code: "BAD_JSON" }])
  expect(reader.sessions()).toMatchObject([{ undecodable: true }, { session: "b" }, { session: "c" }])
  expect(reader.outbox()).toMatchObject([{ undecodable: true, stream: "run:c1.1" }])
  reader.close()
})

test("I6: what was repaired, or can be read by a newer version, is used again", async () => {
  const folder = temporaryFolder()
  const { store, db } = openHost(folder)
  await launch(store, "a")
  db.exec("UPDATE events SET machine_version = 2")
  store.close()
  const older = openHost(folder, { host: "host-2" })
  older.store.claimSessions({ agents: ["rehearsal"], isHostDead: () => true })
  expect(await rejection(older.store.submit(command("a", "pause")))).toMatchObject({
    reason: "FUTURE_VERSION",
  })
  older.db.exec("UPDATE events SET machine_version = 1")
  expect(await older.store.submit(command("a", "pause"))).toMatchObject({ state: "paused" })
  expect(older.store.quarantined()).toEqual([])
})
