/** Field cases ST, events: what lines mean to a reader, whatever their order, names and noise. */
import { describe, expect } from "vitest"
import { blocks, it, noticed, ofType, streamed } from "./harness.ts"

describe.concurrent("streaming", () => {
  for (const scenario of ["st-01", "st-01-whole-turn"])
    it(`ST-01 text that the agent repeats is told once, in two blocks (${scenario})`, async ({ place }) => {
      const { events, result } = await place.play(scenario)
      expect(ofType(events, "text.delta").map(event => event.text)).toEqual(["A", "B", "C"])
      expect(blocks(events)).toEqual(["AB", "C"])
      expect(ofType(events, "text.final").map(event => event.text)).toEqual(["ABC"])
      expect(result).toMatchObject({ outcome: "succeeded", text: "ABC" })
    })

  it("ST-02 identical neighbours and what was said before are all kept", async ({ place }) => {
    const { events, result } = await place.play("st-02")
    const pieces = ["```", "\n", "\n", "ha", "ha", "ha", "\n", "```", "```", "ha"]
    expect(ofType(events, "text.delta").map(event => event.text)).toEqual(pieces)
    expect(result.text).toBe(pieces.join(""))
  })

  it("ST-08 renamed event types leave a warning with their count, and the turn its reply", async ({
    place,
  }) => {
    const { events, result } = await place.play("st-08")
    expect(result).toMatchObject({ outcome: "succeeded", text: "Done under new names." })
    expect(ofType(events, "notice")).toMatchObject([{ code: "unknownLines", count: 3 }])
    expect(place.log().some(event => event.type === "noticed" && event.data.code === "unknownLines")).toBe(
      true,
    )
  })

  it("ST-09 questions that the CLI answers itself and unknown notifications disturb nothing", async ({
    place,
  }) => {
    const { events, result } = await place.play("st-09")
    expect(result).toMatchObject({ outcome: "succeeded", text: "The plan is ready." })
    expect(streamed(events)).toBe("The plan is ready.")
  })

  it("ST-09 the conversation's id is taken from the first line that has one", async ({ place }) => {
    const { events, session } = await place.play("st-09-late-id")
    const [claimed] = place.noted("claimed")
    expect(ofType(events, "run.identified").map(event => event.conversation)).toEqual([claimed?.session])
    expect(session.status().conversation).toBe(claimed?.session)
  })

  it("ST-11 a call id with a newline pairs its two lines, and is in no row and no file name", async ({
    place,
  }) => {
    const { events } = await place.play("st-11")
    expect(ofType(events, "tool.started").map(event => event.call)).toEqual(["call_X\nfc_Y"])
    expect(ofType(events, "tool.completed")).toMatchObject([{ call: "call_X\nfc_Y", status: "ok" }])
    place.texts.add("call_X\nfc_Y").add("call_X\\nfc_Y")
    expect(place.log().filter(event => event.type === "toolCompleted")).toHaveLength(1)
  })

  it("ST-13 escape sequences around JSON are stripped, and a line of nothing else is ignored", async ({
    place,
  }) => {
    const { events, result } = await place.play("st-13")
    expect(streamed(events)).toBe("Hello.")
    expect(result).toMatchObject({ outcome: "succeeded", text: "Hello." })
  })

  it("ST-14 banners before and after the stream are never the assistant's text", async ({ place }) => {
    const { events, result } = await place.play("st-14")
    expect(streamed(events)).toBe("Hello.")
    expect(result).toMatchObject({ outcome: "succeeded", text: "Hello." })
    expect(noticed(events)).toContain("notJson")
  })

  it("ST-14 two objects on one line are two events", async ({ place }) => {
    const { events, result } = await place.play("st-14-two-on-a-line")
    expect(noticed(events)).toEqual(["agentRetrying"])
    expect(result).toMatchObject({ outcome: "succeeded", text: "Hello." })
  })

  it("ST-16 a success with nothing to say is a success, and flagged", async ({ place }) => {
    const { events, result } = await place.play("st-16")
    expect(result).toMatchObject({ outcome: "succeeded", text: null, failure: null })
    expect(ofType(events, "turn.settled")).toMatchObject([{ outcome: "succeeded", emptyReply: true }])
  })

  it("ST-17 a result and the end of the process are one terminal event", async ({ place }) => {
    const { events } = await place.play("st-17")
    expect(ofType(events, "turn.settled")).toMatchObject([{ outcome: "succeeded" }])
    expect(events.at(-1)?.type).toBe("turn.settled")
  })

  it("ST-17 a failed result wins over exit 0", async ({ place }) => {
    const { events, result } = await place.play("st-17-error")
    expect(result).toMatchObject({ outcome: "failed", failure: { code: "REQUEST_TIMED_OUT" } })
    expect(ofType(events, "turn.settled")).toHaveLength(1)
  })

  it("ST-19 what stderr mirrors is not told twice", async ({ place }) => {
    const { events, result } = await place.play("st-19")
    expect(streamed(events)).toBe("Once.")
    expect(result).toMatchObject({ outcome: "succeeded", text: "Once.", degraded: null })
  })

  it("ST-19 a protocol on stderr only is no protocol", async ({ place }) => {
    const { events, result } = await place.play("st-19-stderr-only")
    expect(streamed(events)).toBe("")
    expect(result).toMatchObject({ outcome: "failed", text: null, failure: { code: "NO_OUTPUT" } })
  })

  it("ST-20 byte order mark, CRLF, blank lines and a missing last newline change no event", async ({
    place,
  }) => {
    const odd = await place.play("st-20")
    const plain = await place.play("st-17", {}) // the same words over plain lines
    const shape = (events: typeof odd.events) =>
      events.filter(event => event.type !== "notice").map(event => event.type)
    expect(shape(odd.events)).toEqual(shape(plain.events))
    expect(streamed(odd.events)).toBe(streamed(plain.events))
    expect(odd.result).toMatchObject({ outcome: "succeeded", text: "Hello." })
  })

  it("repeated starts and ends of one call are one call", async ({ place }) => {
    const { events } = await place.play("edit-streaming")
    expect(ofType(events, "tool.started")).toHaveLength(1)
    expect(ofType(events, "tool.completed")).toHaveLength(1)
  })

  it("calls that overlap pair by their ids, in whichever order they end", async ({ place }) => {
    const { events } = await place.play("parallel-tools")
    expect(ofType(events, "tool.completed").map(event => event.call)).toEqual(["toolu_2", "toolu_1"])
    expect(place.log().filter(event => event.type === "toolCompleted")).toHaveLength(2)
  })
})
