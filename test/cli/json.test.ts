/** `--json`: lines of JSON and nothing else, the same ones whoever reads them and whenever. */
import { expect, it } from "vitest"
import { makePlace, rehearse } from "./harness.ts"
import { ofType, textOf } from "./lines.ts"

it("run prints its session, its turn, every event with a cursor, and its result", async () => {
  const place = makePlace()
  const ended = await place.run(rehearse("s", "Leave a note."))
  const lines = ended.lines()
  expect(ended).toMatchObject({ code: 0, stderr: "" })
  expect(lines.slice(0, 3).map(line => line.type)).toEqual(["session", "turn", "run.started"])
  expect(lines.slice(-2).map(line => line.type)).toEqual(["turn.settled", "result"])
  for (const line of lines.slice(2, -1)) expect(line).toMatchObject({ session: "s", at: expect.any(String) })
  const [final] = ofType(lines, "text.final")
  expect(textOf(lines)).toBe(final?.text)
  expect(ofType(lines, "result")[0]).toMatchObject({ text: final?.text, outcome: "succeeded" })
  expect(lines.some(line => "cursor" in line)).toBe(false)
})

it("watch prints the same events, from the beginning or behind any cursor, and changes nothing", async () => {
  const place = makePlace()
  const first = await place.run(rehearse("s", "Leave a note."))
  const events = first.lines().slice(2, -1)
  const before = await place.ask("verify", "--json")

  const all = await place.run(["watch", "s", "--json", "--once"])
  expect(all).toMatchObject({ code: 0, stderr: "" })
  expect(all.lines().slice(1)).toEqual(events)
  const middle = Math.floor(events.length / 2)
  const rest = await place.ask("watch", "s", "--json", "--once", "--after", String(events[middle]?.at))
  expect(rest.lines.slice(1)).toEqual(events.slice(middle + 1))
  const turn = String(events[0]?.turn)
  const ofTurn = await place.ask("watch", "s", "--json", "--turn", turn)
  expect(ofTurn.lines.slice(1)).toEqual(events)
  expect([rest.code, ofTurn.code]).toEqual([0, 0])
  expect(await place.ask("verify", "--json")).toEqual(before)
})

it("sessions, log and verify speak JSON too", async () => {
  const place = makePlace()
  expect(await place.ask("sessions", "--json")).toMatchObject({ code: 0, lines: [], notes: [] })
  await place.run(rehearse("s", "Leave a note."), { scenario: "st-17" })
  const sessions = await place.run(["sessions", "--json"])
  expect(sessions.stderr).toBe("")
  expect(sessions.lines()).toMatchObject([
    { type: "session", session: "s", agent: "rehearsal", state: "ready", owner: "none", left: false },
  ])
  const log = (await place.run(["log", "--json"])).lines()
  expect(log.map(line => line.position)).toEqual(log.map((_, index) => index + 1))
  expect(log[0]).toMatchObject({ type: "logged", stream: "session:s", event: "launch", from: "absent" })
  expect((await place.ask("log", "s", "--json")).lines).toEqual(log)
  const head = `${log.length}:${String(log.at(-1)?.hash)}`
  const verified = await place.run(["verify", "--json", "--head", head])
  expect(verified).toMatchObject({ code: 0 })
  expect(verified.lines()).toEqual([
    { type: "verified", ok: true, events: log.length, streams: 3, problems: 0, head },
  ])
})

it("a prompt comes from stdin, byte for byte", async () => {
  const place = makePlace()
  const prompt = "Grüße 👋\r\n\ttwo lines\n"
  const ended = await place.run(rehearse("s", "-"), { input: prompt, scenario: "x7" })
  expect(ofType(ended.lines(), "result")[0]).toMatchObject({ text: prompt })
  const piped = await place.run(["send", "s", "--json"], { input: prompt, scenario: "x7" })
  expect(ofType(piped.lines(), "result")[0]).toMatchObject({ text: prompt, outcome: "succeeded" })
})
