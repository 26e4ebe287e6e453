/**
 * A host killed at every place of a turn's log, once inside the transaction (the world was changed, the log does
 * not know it) and once right after it (the log knows, nobody has acted): the next host brings the turn to its end.
 */
import { describe, expect } from "vitest"
import { prompt } from "./support/common.ts"
import { expectSeamless } from "./support/reading.ts"
import { after, before, short, twoHalves } from "./support/scenarios.ts"
import { it } from "./support/world.ts"

const whole = { outcome: "succeeded", text: before + after }
const moments = ["run.prepared", "run.launched", "run.found", "run.identified", "run.resultSeen", "run.ended"]

describe("I3 I7 I8 I10 a host killed", () => {
  for (const event of ["session.send", ...moments]) {
    for (const when of ["before", "after"] as const) {
      if (event === "session.send" && when === "before") continue
      it(`${when} ${event} was committed loses nothing and does nothing twice`, async ({ world }) => {
        const first = world.first(short, { points: [{ act: "kill", when, event }] })
        await first.died()
        const turn = (await world.open()).turn(world.evidence.turn().turn)
        expect(await turn.result).toMatchObject(whole)
        await expectSeamless(turn, first.read(), before + after)
        expect(world.evidence.notes("prompt")).toHaveLength(1)
      })
    }
  }

  it("before a prompt was durable has promised nothing, and the same request can be made again", async ({
    world,
  }) => {
    const first = world.first(short, { points: [{ act: "kill", when: "before", event: "session.send" }] })
    await first.died()
    expect(world.evidence.turns()).toEqual([])
    const turn = (await world.open()).session("s").send(prompt.text, prompt)
    expect(await turn.result).toMatchObject(whole)
  })

  it("five times in a row while it takes over", async ({ world }) => {
    const first = world.first(twoHalves)
    await world.reached("middle")
    await first.kill()
    for (const when of ["before", "after", "before", "after", "after"] as const) {
      const next = world.next({ points: [{ act: "kill", when, event: "run.found" }] })
      await next.died()
    }
    world.pass("middle")
    const turn = (await world.open()).turn(world.evidence.turn().turn)
    expect(await turn.result).toMatchObject(whole)
    await expectSeamless(turn, first.read(), before + after)
  })
})
