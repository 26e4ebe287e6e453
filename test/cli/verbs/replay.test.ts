/** `replay`: what it prints is what the log says, at every position; where it is not, that is told. */
import { describe, expect, it } from "vitest"
import { replayTo } from "../../../adapters/cli/replaying.ts"
import { definitions, orThrow } from "../../../machines/index.ts"
import { openHost } from "../../store/support.ts"
import { ofType } from "../lines.ts"
import { placeWithLog, tamper } from "./support.ts"

describe("replay", () => {
  it("comes to the state of every stream as it is now", async () => {
    const place = await placeWithLog()
    const { store } = openHost(place.home)
    const { code, lines } = await place.ask("replay", "--json")
    const streams = ofType(lines, "stream")
    expect(streams.map(line => line.stream)).toEqual(
      expect.arrayContaining(["session:a", "turn:a1", "run:a1.1", "turn:b2", "session:c"]),
    )
    for (const { stream, state, context, replayed, broken } of streams) {
      expect(store.snapshot(String(stream))).toMatchObject({ value: state, context })
      expect([replayed, broken]).toEqual([true, null])
    }
    const counts = { at: store.lastPosition(), events: store.lastPosition(), streams: streams.length }
    expect(lines.at(-1)).toEqual({ type: "replayed", ...counts, differing: 0 })
    expect(code).toBe(0)
  })

  it("comes to what each stream was at any earlier position", async () => {
    const place = await placeWithLog()
    const log = (await place.ask("log", "--json")).lines
    for (const at of [0, 1, 2, 7, log.length - 1]) {
      const last = new Map(log.filter(line => Number(line.position) <= at).map(line => [line.stream, line]))
      const { lines } = await place.ask("replay", "--at", String(at), "--json")
      const told = ofType(lines, "stream").map(line => [line.stream, line.state, line.version, line.position])
      expect(told).toEqual(
        [...last.values()].map(line => [line.stream, line.to, line.version, line.position]),
      )
      expect(lines.at(-1)).toMatchObject({ at, events: at })
    }
  })

  it("of one session has its turns and runs, also where what is derived from the log is gone", async () => {
    const place = await placeWithLog()
    tamper(place, "DELETE FROM streams")
    const { code, lines } = await place.ask("replay", "b", "--json")
    expect(ofType(lines, "stream").map(line => line.stream)).toEqual([
      "session:b",
      "turn:b1",
      "run:b1.1",
      "turn:b2",
    ])
    expect(code).toBe(0)
  })

  it("says where a recorded state is not the one that the machine comes to, and goes on with the others", async () => {
    const place = await placeWithLog()
    tamper(place, "UPDATE events SET to_state = 'failed' WHERE stream = 'turn:a1' AND version = 2")
    const { code, lines } = await place.ask("replay", "--json")
    expect(ofType(lines, "difference")).toEqual([
      {
        ...{ type: "difference", position: expect.any(Number), stream: "turn:a1", code: "TO_DIFFERS" },
        ...{ recorded: "failed", replayed: "preparing" },
      },
    ])
    const stream = (name: string) => ofType(lines, "stream").find(line => line.stream === name)
    expect(stream("turn:a1")).toMatchObject({ version: 1, broken: "TO_DIFFERS" })
    expect(stream("run:a1.1")).toMatchObject({ state: "closed", broken: null })
    expect(lines.at(-1)).toMatchObject({ type: "replayed", differing: 1 })
    expect(code).toBe(1)
    const words = await place.ask("replay")
    expect(words.text).toMatch(/TO_DIFFERS at \d+, turn:a1: recorded failed, replayed preparing/)
    // What was changed only comes later.
    expect((await place.ask("replay", "--at", "2", "--json")).code).toBe(0)
  })

  it("tells an event that cannot be understood", async () => {
    const place = await placeWithLog()
    tamper(place, "UPDATE events SET data = '{' WHERE stream = 'session:c' AND version = 3")
    const { code, lines } = await place.ask("replay", "--json")
    expect(ofType(lines, "difference")).toMatchObject([
      { stream: "session:c", code: "BAD_JSON", recorded: null, replayed: null },
    ])
    expect(code).toBe(1)
  })

  it("of a machine that has changed since gives what was recorded, and says that it could not be replayed", async () => {
    const place = await placeWithLog()
    const { store } = openHost(place.home)
    const newer = { ...orThrow(definitions.session), version: 99 }
    const { streams, differences } = replayTo(store, { ...definitions, session: newer }, { at: 7 })
    const at = (name: string) => streams.find(({ stream }) => stream === name)?.progress
    expect(at("session:a")).toMatchObject({ blind: true, state: "busy", snapshot: null })
    expect(at("turn:a1")).toMatchObject({ blind: false })
    expect(differences).toEqual([])
  })

  it.each([
    ["a position behind the end", ["--at", "9999"], 2, "USAGE_POSITION"],
    ["a position that is none", ["--at", "-1"], 2, "USAGE"],
    ["a session that is none", ["nobody"], 4, "SESSION_UNKNOWN"],
  ])("refuses %s", async (_, words, code, problem) => {
    const place = await placeWithLog()
    const answer = await place.ask("replay", ...words, "--json")
    expect([answer.code, answer.lines.at(-1)?.code]).toEqual([code, problem])
  })
})
