import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { columns, type RawRow } from "../../store/chain.ts"
import type { Store } from "../../store/index.ts"
import { latch1, latch2, lift } from "./latch.ts"
import { dumpCaches, openHost, rejection, temporaryFolder } from "./support.ts"

const golden = new URL("./fixtures/golden-1.ndjson", import.meta.url)
const poke = { stream: "session:x", inputs: [{ type: "poke" }], actor: "user" } as const
const v1 = { definitions: { session: latch1 } }
const v2 = { definitions: { session: latch2 }, migrations: { session: lift } }
const claim = (store: Store) => store.claimSessions({ agents: ["latch"], isHostDead: () => true })

/** What the golden log records: commands, an effect that ended and one that did not, timers fired and armed. */
async function play(store: Store): Promise<void> {
  const inputs = [{ type: "launch", agent: "latch" }]
  await store.submit({ stream: "session:x", inputs, actor: "user", command: { id: "c1" } })
  await store.submit({ ...poke, command: { id: "c2" } })
  await store.submit({
    stream: "session:x",
    inputs: [{ type: "rang" }],
    actor: "host",
    effect: "session:x/2/0",
  })
  const timer = { id: "nap", generation: 2 }
  await store.submit({ stream: "session:x", inputs: [{ type: "timer", id: "nap" }], actor: "host", timer })
  await store.submit({ ...poke, correlation: "by-hand" })
  await store.submit(poke)
}

const goldenRows = (): RawRow[] =>
  readFileSync(golden, "utf8")
    .trimEnd()
    .split("\n")
    .map(line => JSON.parse(line) as RawRow) // the fixture's lines are rows

/** A folder whose log is the golden one, as an old host left it. */
function goldenFolder(): string {
  const folder = temporaryFolder()
  const { store, db } = openHost(folder, v1)
  const insert = db.prepare(`INSERT INTO events VALUES (${columns.map(column => `:${column}`).join(", ")})`)
  for (const row of goldenRows()) insert.run(row)
  db.exec("INSERT INTO owners (session, host, epoch) VALUES ('x', 'gone', 1)")
  store.rebuild()
  store.close()
  return folder
}

test("the format of version 1 is the golden one, byte for byte", async () => {
  const { store } = openHost(temporaryFolder(), v1)
  await play(store)
  const rows = store.rawEvents({ after: 0, limit: 100 })
  // Written once, by hand: delete the file only when the format of an unreleased version changes.
  if (!existsSync(golden)) {
    mkdirSync(new URL(".", golden), { recursive: true })
    writeFileSync(golden, rows.map(row => `${JSON.stringify(row)}\n`).join(""))
  }
  expect(rows).toEqual(goldenRows())
})

test("a golden log opens, verifies and goes on", async () => {
  const { store } = openHost(goldenFolder(), { ...v1, host: "host-2" })
  expect(store.verify({ head: { position: 6, hash: String(goldenRows()[5]?.hash) } }).ok).toBe(true)
  claim(store)
  expect(await store.submit(poke)).toMatchObject({ version: 7, state: "ready" })
  expect(store.verify().ok).toBe(true)
})

test("a machine's new version takes a stream over with one event, and a replay starts there", async () => {
  const folder = goldenFolder()
  const { store } = openHost(folder, { ...v2, host: "host-2" })
  expect(store.verify().ok).toBe(true)
  claim(store)
  const outbox = store.outbox({ hostOwned: true })
  expect(outbox).toHaveLength(1)
  expect(await store.submit({ ...poke, command: { id: "c9" } })).toMatchObject({ version: 8, state: "ready" })
  const [migrated] = store.readEvents({ after: 6, limit: 1 })
  expect(migrated).toMatchObject({
    type: "machine.migrated",
    machineVersion: 2,
    from: "ready",
    to: "ready",
    data: { from: 1, snapshot: { context: { pokes: 2, since: "1" } }, outbox: [{ id: "session:x/6/0" }] },
  })
  expect(store.outbox().map(row => !row.undecodable && row.id)).toEqual(["session:x/6/0", "session:x/8/0"])

  expect(store.verify()).toMatchObject({ ok: true, problems: [] })
  const before = dumpCaches(folder)
  store.rebuild()
  expect(dumpCaches(folder)).toEqual(before)
  expect(await store.submit({ ...poke, command: { id: "c9" } })).toMatchObject({
    duplicate: true,
    version: 8,
  })
  store.close()
  const next = openHost(folder, { ...v2, host: "host-3" }).store
  claim(next)
  expect(await next.submit(poke)).toMatchObject({ version: 9 })
  expect(next.verify().ok).toBe(true)
})

test("a rebuild before the migration keeps what only the caches still know", async () => {
  const folder = goldenFolder()
  const { store } = openHost(folder, { ...v2, host: "host-2" })
  const before = dumpCaches(folder)
  store.rebuild()
  expect(dumpCaches(folder)).toEqual(before)
  claim(store)
  expect(await store.submit(poke)).toMatchObject({ version: 8 })
})

test("without a migration the stream is quarantined and says why; the old version still uses it", async () => {
  const folder = goldenFolder()
  const { store } = openHost(folder, { definitions: { session: latch2 }, host: "host-2" })
  claim(store)
  expect(await rejection(store.submit(poke))).toMatchObject({
    code: "STREAM_QUARANTINED",
    reason: "NO_MIGRATION",
  })
  expect(store.quarantined()).toMatchObject([{ stream: "session:x", reason: "NO_MIGRATION" }])
  store.close()
  const old = openHost(folder, { ...v1, host: "host-3" }).store
  claim(old)
  expect(await old.submit(poke)).toMatchObject({ version: 7 })
})

test("a migration that makes an invalid context is refused, and nothing is appended", async () => {
  const { store } = openHost(goldenFolder(), {
    definitions: { session: latch2 },
    migrations: { session: snapshot => snapshot },
    host: "host-2",
  })
  claim(store)
  expect(await rejection(store.submit(poke))).toMatchObject({ reason: "MIGRATION_INVALID" })
  expect(store.lastPosition()).toBe(6)
})

test("an old host finds a stream of a newer machine version quarantined, and nothing else", async () => {
  const folder = goldenFolder()
  const newer = openHost(folder, { ...v2, host: "host-2" }).store
  claim(newer)
  await newer.submit(poke)
  newer.close()
  const { store } = openHost(folder, { ...v1, host: "host-3" })
  claim(store)
  expect(await rejection(store.submit(poke))).toMatchObject({ reason: "FUTURE_VERSION" })
  const launch = { stream: "session:y", inputs: [{ type: "launch", agent: "latch" }], actor: "user" } as const
  expect(await store.submit(launch)).toMatchObject({ state: "ready" })
})
