import { describe, expect, test } from "vitest"
import type { EventRecord, Store } from "../../store/index.ts"
import {
  adopted,
  answer,
  command,
  launch,
  launchInput,
  openHost,
  rejection,
  send,
  startRun,
  temporaryFolder,
} from "./support.ts"

const events = (store: Store): EventRecord[] =>
  store.readEvents({ after: 0, limit: 1_000 }).filter(event => !event.undecodable)

describe("a submission", () => {
  test("I1: appends one gap-free row per transition, sends breadth first with their cause", async () => {
    const { store } = openHost(temporaryFolder())
    await launch(store, "a")
    await send(store, "a", "t1", "hello")
    expect(
      events(store).map(e => [e.position, e.stream, e.version, e.type, e.from, e.to, e.causation]),
    ).toEqual([
      [1, "session:a", 1, "launch", "absent", "ready", "launch-a"],
      [2, "session:a", 2, "send", "ready", "busy", "t1"],
      [3, "turn:t1", 1, "queued", "absent", "queued", "session:a/2"],
      [4, "turn:t1", 2, "start", "queued", "preparing", "session:a/2"],
      [5, "run:t1.1", 1, "requested", "absent", "preparing", "turn:t1/2"],
    ])
    expect(events(store).map(e => e.correlation)).toEqual(["launch-a", "t1", "t1", "t1", "t1"])
    expect(events(store).map(e => e.cause)).toEqual(["command", "command", "event", "event", "event"])
  })

  test("steps its inputs all or none", async () => {
    const { store } = openHost(temporaryFolder())
    const inputs = [launchInput("a"), { type: "pause" }, { type: "pause" }]
    const error = await rejection(
      store.submit({ stream: "session:a", inputs, actor: "user", command: { id: "c" } }),
    )
    expect(error).toMatchObject({ _tag: "Rejected", code: "NOT_ACCEPTED", state: "paused" })
    expect(store.lastPosition()).toBe(0)
    expect(store.ownerOf("a")).toBeNull()
  })

  test("a rejected command leaves no trace, and its id can be used again", async () => {
    const { store } = openHost(temporaryFolder())
    await launch(store, "a")
    expect(await rejection(store.submit(command("a", "launch", "c")))).toMatchObject({
      code: "INPUT_INVALID",
    })
    expect(await rejection(store.submit(command("x", "pause", "c")))).toMatchObject({
      code: "SESSION_UNKNOWN",
    })
    expect(store.lastPosition()).toBe(1)
    expect(await store.submit(command("a", "pause", "c"))).toMatchObject({
      duplicate: false,
      state: "paused",
    })
  })

  test("an observation without a transition is recorded as ignored", async () => {
    const { store } = openHost(temporaryFolder())
    await launch(store, "a")
    const seen = { type: "identified", turn: "t9", conversation: "chat" }
    await store.submit({ stream: "session:a", inputs: [seen], actor: "host" })
    expect(events(store).at(-1)).toMatchObject({ from: "ready", to: "ready", ignored: true, cause: null })
  })

  test("an observation of a stream that nobody began is refused", async () => {
    const { store } = openHost(temporaryFolder())
    const unknown = { type: "identified", turn: "t9", conversation: "chat" }
    for (const stream of ["session:a", "turn:t9", "nothing:x", "session:../x", "session"]) {
      const error = await rejection(store.submit({ stream, inputs: [unknown], actor: "host" }))
      expect(error, stream).toMatchObject({ code: "STREAM_UNKNOWN" })
    }
    expect(store.lastPosition()).toBe(0)
  })

  test("what is malformed or too large is refused before anything is appended", async () => {
    const { store } = openHost(temporaryFolder())
    await launch(store, "a")
    const pause = command("a", "pause")
    const bad = [
      { ...pause, inputs: [] },
      { ...pause, inputs: Array.from({ length: 257 }, () => ({ type: "pause" })) },
      { ...pause, command: { id: "c" }, effect: "run:x/1/0" },
      { ...pause, command: { id: "\u00fc" } },
      { ...pause, correlation: "" },
      { ...pause, texts: [{ session: "a", digest: "0".repeat(64), bytes: Buffer.from("x") }] },
      { ...pause, texts: [{ session: "b", digest: store.keyedDigest("b", "x"), bytes: Buffer.from("x") }] },
    ]
    const codes = await Promise.all(bad.map(one => rejection(store.submit(one))))
    expect(codes.map(error => (error as { code: string }).code)).toEqual([
      "BAD_SUBMISSION",
      "LIMIT_EXCEEDED",
      "BAD_SUBMISSION",
      "BAD_SUBMISSION",
      "BAD_SUBMISSION",
      "BAD_SUBMISSION",
      "BAD_SUBMISSION",
    ])
    expect(store.lastPosition()).toBe(1)
    expect(store.session("a")).toMatchObject({ state: "ready" })
  })

  test("non-ASCII data is stored as ASCII and read back as it was", async () => {
    const { store } = openHost(temporaryFolder())
    await launch(store, "a")
    expect(events(store)[0]?.data.cwd).toBe(launchInput("a").cwd)
    expect(store.rawEvents({ after: 0, limit: 1 })[0]?.data).toMatch(/^[\x20-\x7e]*$/)
  })
})

describe("a command id", () => {
  test("I5: given twice, also in the same commit, gets the first answer and does nothing twice", async () => {
    const { store } = openHost(temporaryFolder())
    await launch(store, "a")
    const pause = command("a", "pause", "c")
    const [first, second] = await Promise.all([store.submit(pause), store.submit(pause)])
    expect(second).toEqual({ ...first, duplicate: true })
    await store.submit(command("a", "resume", "d"))
    expect(await store.submit(pause)).toEqual({ ...first, duplicate: true })
    expect(store.lastPosition()).toBe(3)
  })

  test("I5: the answer outlives the host, and tells the last position in any stream", async () => {
    const folder = temporaryFolder()
    const first = openHost(folder).store
    await launch(first, "a")
    const given = await send(first, "a", "t1", "hello")
    expect(given).toMatchObject({ position: 5, version: 2, state: "busy" })
    first.close()
    const second = openHost(folder, { host: "host-2" }).store
    expect(await send(second, "a", "t1", "hello")).toEqual({ ...given, duplicate: true })
  })

  test("I5: the answer counts what came back to the stream by sends, also after a rebuild", async () => {
    const { store } = openHost(temporaryFolder())
    await launch(store, "a")
    await send(store, "a", "t1", "hello")
    await send(store, "a", "t2", "waits")
    const interrupt = {
      stream: "session:a",
      inputs: [{ type: "interrupt", turn: "t2" }],
      actor: "user",
      command: { id: "i" },
    } as const
    const given = await store.submit(interrupt)
    // interrupt, then the turn's own step, then turnSettled in the session again
    expect(given).toMatchObject({ version: 5, position: store.lastPosition() })
    expect(await store.submit(interrupt)).toEqual({ ...given, duplicate: true })
    store.rebuild()
    expect(await store.submit(interrupt)).toEqual({ ...given, duplicate: true })
  })

  test("I5: with other content is a conflict, whatever the order of keys says", async () => {
    const { store } = openHost(temporaryFolder())
    await launch(store, "a")
    const { type, ...rest } = launchInput("a")
    const turned = { ...Object.fromEntries(Object.entries(rest).toReversed()), type }
    const again = {
      stream: "session:a",
      inputs: [turned],
      actor: "user",
      command: { id: "launch-a" },
    } as const
    expect(await store.submit(again)).toMatchObject({ duplicate: true })
    const error = await rejection(store.submit(command("a", "pause", "launch-a")))
    expect(error).toMatchObject({ _tag: "CommandConflict", code: "COMMAND_CONFLICT", retryable: false })
  })

  test("I5: a lost receipt would be noticed: the log still has it, and rebuild gives it back", async () => {
    const { store, db } = openHost(temporaryFolder())
    await launch(store, "a")
    db.exec("DELETE FROM receipts")
    expect(store.verify()).toMatchObject({ ok: false, problems: [{ code: "CACHE_DIFFERS" }] })
    expect(await rejection(launch(store, "a"))).toMatchObject({ code: "SESSION_EXISTS" })
    store.rebuild()
    expect(await launch(store, "a")).toMatchObject({ duplicate: true })
  })
})

describe("an effect", () => {
  test("ends with its first outcome; a second one is stale and appends nothing", async () => {
    const { store } = openHost(temporaryFolder())
    await launch(store, "a")
    await send(store, "a", "t1", "hello")
    const [prepare] = store.outbox({ hostOwned: true })
    expect(prepare).toMatchObject({ id: "run:t1.1/1/0", kind: "prepare", class: "repeatable", session: "a" })
    const outcome = {
      stream: "run:t1.1",
      inputs: [{ type: "prepared", boot: "boot-1" }],
      effect: "run:t1.1/1/0",
      actor: "host",
    } as const
    const [first, second] = await Promise.all([store.submit(outcome), store.submit(outcome)])
    expect(first).toMatchObject({ stale: false, version: 2 })
    expect(second).toMatchObject({ stale: true, version: 2 })
    expect(store.outbox().map(row => !row.undecodable && row.id)).toEqual(["run:t1.1/2/0"])
    expect(events(store).at(-1)).toMatchObject({
      cause: "effect",
      causation: "run:t1.1/1/0",
      correlation: "t1",
    })
  })

  test("is outstanding when the process that asked for it is gone", async () => {
    const folder = temporaryFolder()
    const first = openHost(folder).store
    await launch(first, "a")
    await send(first, "a", "t1", "hello")
    first.close()
    const second = openHost(folder, { host: "host-2" }).store
    expect(second.outbox({ hostOwned: true })).toEqual([])
    second.claimSessions({ agents: ["rehearsal"], isHostDead: () => true })
    expect(second.outbox({ hostOwned: true })).toMatchObject([{ id: "run:t1.1/1/0" }])
  })
})

describe("a timer", () => {
  test("is a row with a generation; what was replaced or fired never fires again", async () => {
    const { store } = openHost(temporaryFolder())
    await launch(store, "a")
    await send(store, "a", "t1", "hello")
    await startRun(store, "t1")
    const stream = "run:t1.1"
    const armed = store.timers().find(({ id }) => id === "total")
    expect(armed).toMatchObject({ stream, session: "a", afterMs: 60_000, clock: "awake" })
    const fire = (generation: number) =>
      store.submit({
        stream,
        inputs: [{ type: "timer", id: "total" }],
        timer: { id: "total", generation },
        actor: "host",
      })
    const generation = armed?.generation ?? 0
    expect(await fire(generation + 1)).toMatchObject({ stale: true })
    const [first, second] = await Promise.all([fire(generation), fire(generation)])
    expect([first.stale, second.stale]).toEqual([false, true])
    expect(events(store).at(-1)).toMatchObject({ cause: "timer", causation: `total/${generation}` })
    expect(store.timers().map(({ id }) => id)).not.toContain("total")
    await answer(store, stream, "probe", [{ type: "probed", timer: "firstOutput", bytes: 1, silentMs: 0 }])
    await store.submit({ stream, inputs: [adopted], actor: "host" })
    for (const timer of store.timers()) expect(timer.generation).toBeGreaterThan(0)
  })
})
