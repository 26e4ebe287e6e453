/** Field cases X4 and X6: readers that are slow, leave, come back or come late all get the same sequence. */
import { writeFileSync } from "node:fs"
import { describe, expect } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { all, it, ofType, refusal, type Seen, until, untilSeen } from "./harness.ts"

const hanging: Scenario = {
  turns: [{ steps: [{ do: "init" }, { do: "text", text: "And then" }, { do: "hang" }] }],
}
async function read(events: AsyncIterable<Seen>): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  for await (const event of events) seen.push(event)
  return seen
}
const without = (events: readonly Seen[]) => events.map(event => ({ ...event, at: "" }))

describe.concurrent("readers", () => {
  it("X4 what comes after the result changes neither outcome nor reply", async ({ place }) => {
    const { events, result } = await place.play("x4")
    expect(result).toMatchObject({ outcome: "succeeded", text: "Done." })
    const settled = events.findIndex(event => event.type === "turn.settled")
    expect(events.slice(settled + 1)).toEqual([])
    expect(ofType(events, "tool.completed")).toEqual([])
  })

  it("X6 a reader that leaves in the middle disturbs nobody", async ({ place }) => {
    const host = await place.open({ scenario: "x6" })
    const turn = place.send(await host.launch({ cwd: place.cwd }), "two thousand words")
    const left = await untilSeen(turn, event => event.type === "text.delta")
    expect(ofType(left, "text.delta")).toHaveLength(1)
    expect(await place.result(turn)).toMatchObject({ outcome: "succeeded", text: "word ".repeat(2000) })
  })

  it("X6 a slow reader and a late one get what a quick one gets", async ({ place }) => {
    const host = await place.open({ scenario: "x6" })
    const turn = place.send(await host.launch({ cwd: place.cwd }), "two thousand words")
    const quick = all(turn)
    const slow: Seen[] = []
    for await (const event of turn.events()) {
      // The turn is long over when this one has read its first hundred.
      if (slow.length === 100) await turn.result
      slow.push(event)
    }
    const late = await all(turn)
    expect(ofType(late, "text.delta")).toHaveLength(2000)
    expect(without(slow)).toEqual(without(await quick))
    expect(without(late)).toEqual(without(await quick))
  })

  it("X6 from any cursor the rest comes, without a gap and without a repetition", async ({ place }) => {
    const { host, turn, events } = await place.play("st-11")
    for (const [index, { at }] of events.entries())
      expect(await all(turn, at)).toEqual(events.slice(index + 1))
    // Nor does it matter which host is asked.
    await host.close()
    const next = await place.open({ scenario: "st-11" })
    for (const [index, { at }] of events.entries())
      expect(await all(next.turn(turn.id), at)).toEqual(events.slice(index + 1))
  })

  it("X6 a cursor taken in the middle of a running turn goes on behind it", async ({ place }) => {
    const gate = place.at("go-on")
    const scenario: Scenario = {
      turns: [
        {
          steps: [
            { do: "init" },
            { do: "text", pieces: ["one ", "two "] },
            { do: "waitForFile", path: gate },
            { do: "text", pieces: ["three ", "four"] },
            { do: "result" },
          ],
        },
      ],
    }
    const host = await place.open({ scenario })
    const turn = place.send(await host.launch({ cwd: place.cwd }), "count to four, please")
    const before = await untilSeen(turn, event => event.type === "text.delta" && event.text === "one ")
    const after = all(turn, before.at(-1)?.at)
    writeFileSync(gate, "")
    const rest = await after
    expect(ofType(rest, "text.delta").map(event => event.text)).toEqual(["two ", "three ", "four"])
    expect([...before, ...rest]).toEqual(await all(turn))
  })

  it("X6 a reader of the session gets its turns one after the other, and stops when told", async ({
    place,
  }) => {
    const { session, turn, events } = await place.play("st-17")
    const second = await place.take(session, "one more of the same")
    const stop = new AbortController()
    const read: Seen[] = []
    for await (const event of session.events({ signal: stop.signal })) {
      read.push(event)
      if (event.type === "turn.settled" && event.turn === second.turn.id) stop.abort()
    }
    expect(read).toEqual([...events, ...second.events])
    expect(new Set(read.map(event => event.turn))).toEqual(new Set([turn.id, second.turn.id]))
  })

  it("a closing host lets its readers hear how the turn ended", async ({ place }) => {
    const host = await place.open({ scenario: hanging })
    const session = await host.launch({ cwd: place.cwd })
    const turn = place.send(session, "until the host closes")
    const [ofTurn, ofSession] = [all(turn), read(session.events())]
    await until(() => place.log().some(event => event.type === "spoke"))
    await host.close()
    expect((await ofTurn).at(-1)).toMatchObject({ type: "turn.settled", outcome: "interrupted" })
    expect((await ofSession).at(-1)).toMatchObject({ type: "turn.settled", outcome: "interrupted" })
  })

  it("a reader of a turn that is left to the next host is told that this one was closed", async ({
    place,
  }) => {
    const host = await place.open({ scenario: hanging })
    const session = await host.launch({ cwd: place.cwd })
    const turn = place.send(session, "for the next host")
    const [ofTurn, late] = [refusal(() => all(turn)), turn.events()]
    await late.next()
    await until(() => place.log().some(event => event.type === "spoke"))
    await host.close({ leave: true })
    expect(await ofTurn).toMatchObject({ code: "HOST_CLOSED" })
    // One that did not read on while the host was still there.
    expect(await refusal(() => read(late))).toMatchObject({ code: "HOST_CLOSED" })
    await (await place.open({ scenario: hanging })).turn(turn.id).interrupt()
  })

  it("I7 a cursor of another session, or from behind the end, is refused by name", async ({ place }) => {
    const { host, session, events } = await place.play("st-17")
    const other = await host.launch({ cwd: place.cwd })
    await place.take(other, "in another session")
    const after = ofType(events, "text.delta")[0]?.at ?? ""
    const inOther = refusal(() => read(other.events({ after })))
    expect(await inOther).toMatchObject({ code: "CURSOR_INVALID" })
    expect(await refusal(() => read(session.events({ after: "99999:0:0:-" })))).toMatchObject({
      code: "CURSOR_INVALID",
    })
  })

  it("X6 what is no cursor is refused by name", async ({ place }) => {
    const { turn } = await place.play("st-17")
    expect(await refusal(() => all(turn, "somewhere"))).toMatchObject({ code: "CURSOR_INVALID" })
  })
})
