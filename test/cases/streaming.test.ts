/** Field cases ST, events: what lines mean to a reader, whatever their order, names and noise. */
import { describe, expect } from "vitest"
import { blocks, it, noticed, ofType, streamed } from "./harness.ts"

describe("streaming", () => {
  it("ST-01 text that the agent repeats at a tool call and at the end is told once, in two blocks", async ({
    place,
  }) => {
    const { events, result } = await place.play("st-01")
    expect(ofType(events, "text.delta").map(event => event.text)).toEqual(["A", "B", "C"])
    expect(blocks(events)).toEqual(["AB", "C"])
    expect(ofType(events, "text.final").map(event => event.text)).toEqual(["ABC"])
    expect(result).toMatchObject({ outcome: "succeeded", text: "ABC" })
  })
})
