/** Which stream a machine's mark is taken from, where a session has several: judged by events alone. */
import { expect, it } from "vitest"
import { standingsAfter } from "../../adapters/diagram/standing.ts"
import type { EventRecord, Undecodable } from "../../store/index.ts"

const versions = new Map<string, number>()
let position = 0
function event(stream: string, type: string, from: string, to: string): EventRecord {
  position += 1
  versions.set(stream, (versions.get(stream) ?? 0) + 1)
  return {
    ...{ undecodable: false, position, stream, version: versions.get(stream) ?? 0 },
    ...{ machine: stream.slice(0, stream.indexOf(":")), machineVersion: 1, type, data: {}, from, to },
    ...{ ignored: false, at: 0, awake: 0, actor: "user", correlation: null, cause: null, causation: null },
    ...{ epoch: 1, prev: "", hash: "" },
  }
}

const events = [
  event("session:s", "launch", "absent", "ready"),
  event("session:s", "send", "ready", "busy"),
  event("turn:a", "queued", "absent", "queued"),
  event("turn:a", "start", "queued", "preparing"),
  event("run:a.1", "requested", "absent", "preparing"),
  event("session:s", "send", "busy", "busy"),
  event("turn:b", "queued", "absent", "queued"),
  event("turn:a", "runActive", "preparing", "running"),
  event("turn:b", "interrupt", "queued", "interrupted"),
  event("turn:c", "queued", "absent", "queued"),
  event("turn:a", "runClosed", "running", "preparing"),
  event("run:a.2", "requested", "absent", "preparing"),
  event("turn:a", "runClosed", "preparing", "failed"),
  event("turn:c", "start", "queued", "preparing"),
]
const after = (count: number) => {
  const standings = standingsAfter(events.slice(0, count))
  return (machine: string) => standings.get(machine)
}

it("a turn that waits, or is interrupted while it waits, is not the one that the session works on", () => {
  expect(after(3)("turn")).toMatchObject({ stream: "turn:a", state: "queued", since: 3 })
  expect(after(7)("turn")).toMatchObject({ stream: "turn:a", state: "preparing", since: 4 })
  expect(after(10)("turn")).toMatchObject({ stream: "turn:a", state: "running", since: 8, from: "preparing" })
  expect(after(13)("turn")).toMatchObject({ stream: "turn:a", state: "failed" })
  expect(after(14)("turn")).toMatchObject({ stream: "turn:c", state: "preparing" })
})

it("the latest run counts, also when its turn has ended", () => {
  expect(after(4)("run")).toBeUndefined()
  expect(after(11)("run")).toMatchObject({ stream: "run:a.1" })
  expect(after(14)("run")).toMatchObject({
    stream: "run:a.2",
    state: "preparing",
    since: 12,
    event: "requested",
  })
})

it("an event that changes no state changes no standing", () => {
  expect(after(6)("session")).toMatchObject({ state: "busy", since: 2, event: "send", from: "ready" })
})

it("a stream is not believed any more from its first unreadable event on", () => {
  const torn: Undecodable = { undecodable: true, position: 5, stream: "run:a.1", code: "BAD_JSON" }
  const standings = standingsAfter([...events.slice(0, 4), torn, event("run:a.1", "spoke", "x", "y")])
  expect(standings.get("run")).toBe(torn)
  expect(standings.get("turn")).toMatchObject({ state: "preparing" })
})
