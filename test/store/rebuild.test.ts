import { describe, expect, test } from "vitest"
import { type Cache, caches } from "../../store/schema.ts"
import { command, dumpCaches, launch, openHost, send, smallLog, temporaryFolder } from "./support.ts"

describe("rebuild", () => {
  test("I2: makes every cache byte-equal from the log, whatever was in it", async () => {
    const folder = temporaryFolder()
    const { store, db } = openHost(folder)
    await smallLog(store)
    const before = dumpCaches(folder)
    for (const [cache, rows] of Object.entries(before)) expect(rows.length, cache).toBeGreaterThan(0)
    fillWithGarbage()
    expect(dumpCaches(folder)).not.toEqual(before)
    const { ok, problems } = store.verify()
    expect([ok, ...new Set(problems.map(({ code }) => code))]).toEqual([false, "CACHE_DIFFERS"])
    expect(store.rebuild()).toMatchObject({ events: store.lastPosition(), quarantined: 0 })
    expect(dumpCaches(folder)).toEqual(before)
    expect(store.verify()).toMatchObject({ ok: true, problems: [] })

    function fillWithGarbage() {
      for (const cache of Object.keys(caches)) {
        const names = db.prepare<[], { name: string; type: string; pk: number }>(
          `PRAGMA table_info(${cache})`,
        )
        for (const { name, type, pk } of names.all())
          if (pk === 0 && !(cache === "turns" && ["session", "ordinal"].includes(name)))
            db.exec(`UPDATE ${cache} SET ${name} = ${type === "TEXT" ? "'garbage'" : "-7"}`)
      }
      db.exec("DELETE FROM turns WHERE turn = 'b2'; DELETE FROM timers WHERE id = 'total'")
    }
  })

  test.each(Object.keys(caches) as Cache[])(
    "I2: verify tells a missing and a changed row of %s",
    async cache => {
      const { store, db } = openHost(temporaryFolder())
      await smallLog(store)
      expect(store.verify().ok).toBe(true)
      db.exec(`DELETE FROM ${cache} WHERE rowid = (SELECT min(rowid) FROM ${cache})`)
      const { ok, problems } = store.verify()
      expect(ok).toBe(false)
      expect(problems.map(({ code }) => code)).toEqual(["CACHE_DIFFERS"])
      expect(problems[0]?.message).toMatch(`${cache} row`)
    },
  )

  test("I2: a host that goes on after a rebuild goes on where it was", async () => {
    const { store, db } = openHost(temporaryFolder())
    await smallLog(store)
    db.exec("DELETE FROM streams; DELETE FROM snapshots; DELETE FROM outbox; DELETE FROM receipts")
    store.rebuild()
    expect(await send(store, "b", "b1", "second prompt")).toMatchObject({ duplicate: true })
    expect(await send(store, "b", "b3", "fourth")).toMatchObject({ state: "busy" })
    expect(store.verify().ok).toBe(true)
  })

  test("I2: the log wins over a cached state that is wrong, even without a rebuild", async () => {
    const folder = temporaryFolder()
    const first = openHost(folder)
    await launch(first.store, "a")
    await first.store.submit(command("a", "pause"))
    first.db.exec("UPDATE streams SET state = 'ready' WHERE stream = 'session:a'")
    first.store.releaseSessions()
    first.store.close()
    const { store } = openHost(folder, { host: "host-2" })
    store.claimSessions({ agents: ["rehearsal"], isHostDead: () => false })
    expect(await store.submit(command("a", "resume"))).toMatchObject({ version: 3, state: "ready" })
    expect(store.verify().ok).toBe(true)
  })

  test("I2: a checkpoint that is wrong is not built upon either", async () => {
    const folder = temporaryFolder()
    const first = openHost(folder)
    await smallLog(first.store)
    const evil = `UPDATE snapshots SET context = json_set(context, '$.conversation', 'evil') WHERE stream = 'session:c'`
    expect(first.db.prepare(evil).run().changes).toBe(1)
    first.store.close()
    const { store } = openHost(folder, { host: "host-2" })
    store.claimSessions({ agents: ["rehearsal"], isHostDead: () => true })
    await store.submit({ stream: "session:c", inputs: [{ type: "interrupt", turn: "c1" }], actor: "user" })
    expect(store.session("c")).toMatchObject({ conversation: null })
  })
})
