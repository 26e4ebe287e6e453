import fc from "fast-check"
import { expect, test } from "vitest"
import type { Input } from "../../machines/kernel.ts"
import type { Store } from "../../store/index.ts"
import {
  adopted,
  definitions,
  dumpCaches,
  finishRun,
  launch,
  openHost,
  send,
  startRun,
  temporaryFolder,
  withFile,
} from "./support.ts"

type Act = (store: Store) => Promise<unknown>

const onSession = (input: Input): Act => {
  return store => store.submit({ stream: "session:a", inputs: [input], actor: "user" })
}
/** Whatever a person and the world may do to one session with a few turns, in any order. */
const acts: Readonly<Record<string, (turn: string) => Act>> = {
  send: turn => store => send(store, "a", turn, `prompt ${turn}`),
  interrupt: turn => onSession({ type: "interrupt", turn }),
  pause: () => onSession({ type: "pause" }),
  resume: () => onSession({ type: "resume" }),
  archive: () => onSession({ type: "archive" }),
  start: turn => store => startRun(store, turn),
  finish: turn => store => finishRun(store, "a", turn, "reply"),
  found: turn => store => store.submit({ stream: `run:${turn}.1`, inputs: [adopted], actor: "host" }),
  timer: () => async store => {
    const [timer] = store.timers()
    if (timer === undefined) return
    const { stream, id, generation } = timer
    await store.submit({ stream, inputs: [{ type: "timer", id }], timer: { id, generation }, actor: "host" })
  },
}
const act = fc.tuple(fc.constantFrom(...Object.keys(acts)), fc.constantFrom("t1", "t2", "t3"))

async function play(store: Store, script: readonly (readonly [string, string])[]): Promise<void> {
  await launch(store, "a")
  // What is impossible at that moment is refused, and that is part of the property.
  for (const [name, turn] of script) await acts[name]?.(turn)(store).catch(() => undefined)
}

test("I1, I2: whatever happens, the log verifies and rebuilds every cache byte-equal", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async script => {
      const folder = temporaryFolder()
      const { store, db } = openHost(folder)
      await play(store, script)
      const before = dumpCaches(folder)
      expect(store.verify()).toMatchObject({ ok: true, problems: [] })
      db.exec(
        "DELETE FROM streams; DELETE FROM outbox; DELETE FROM timers; DELETE FROM turns; DELETE FROM receipts",
      )
      store.rebuild()
      expect(dumpCaches(folder)).toEqual(before)
      store.close()
    }),
    { numRuns: 12 },
  )
})

test("I1: every prefix of a log is a state to go on from", async () => {
  const folder = temporaryFolder()
  const { store } = openHost(folder)
  await play(store, [
    ["send", "t1"],
    ["send", "t2"],
    ["start", "t1"],
    ["timer", "t1"],
    ["finish", "t1"],
    ["interrupt", "t2"],
    ["pause", "t1"],
  ])
  const last = store.lastPosition()
  expect(last).toBeGreaterThan(15)
  store.close()
  for (let position = last - 1; position > 0; position -= 1) {
    withFile(folder, db => db.prepare("DELETE FROM events WHERE position > ?").run(position))
    const next = openHost(folder, { host: `host-${position}`, definitions }).store
    next.rebuild()
    expect(next.verify(), `up to ${position}`).toMatchObject({ ok: true, events: position })
    expect(next.claimSessions({ agents: ["rehearsal"], isHostDead: () => true })).toHaveLength(1)
    next.close()
  }
})

test("I1: a row with a version that is taken cannot be written", async () => {
  const { store, db } = openHost(temporaryFolder())
  await launch(store, "a")
  const copy = () =>
    db.exec(`CREATE TEMP TABLE copy AS SELECT * FROM events; UPDATE copy SET position = 2;
      INSERT INTO events SELECT * FROM copy`)
  expect(copy).toThrow(/UNIQUE constraint failed: events.stream, events.version/)
})
