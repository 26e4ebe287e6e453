/** Rows "claimed, dead, no `exit`", without and with `agent`: what was never started, and what nobody knows. */
import { describe, expect } from "vitest"
import { prompt } from "./support/common.ts"
import { holdBeforeAgent } from "./support/hold.ts"
import { expectSeamless } from "./support/reading.ts"
import { after, before, short, twoHalves } from "./support/scenarios.ts"
import { it } from "./support/world.ts"

const whole = { outcome: "succeeded", text: before + after }

describe("claimed, dead, no `exit`, no `agent`", () => {
  for (const event of ["run.launched", "run.found"]) {
    it(`I8 was never started and is safe to send again: one more run does, its host killed after ${event}`, async ({
      world,
    }) => {
      const first = world.first(short, {
        points: [
          { act: "stop", when: "after", event: "run.prepared" },
          { act: "kill", when: "after", event },
        ],
      })
      await first.stopped()
      const held = holdBeforeAgent(world.evidence.folder(world.evidence.run()))
      first.goOn()
      await first.died()
      await world.evidence.claimed()
      await world.endRuns()
      held.restore()
      expect(world.evidence.files()).toMatchObject({ agent: null, exit: null })
      const host = await world.open()
      const { turn } = world.evidence.turn()
      expect(await host.turn(turn).result).toMatchObject(whole)
      expect(world.evidence.logged("turn.runClosed")[0]?.data).toMatchObject({
        outcome: "failed",
        failure: { code: "NEVER_STARTED", retryable: true },
      })
      expect(world.evidence.notes("prompt").map(note => note.run)).toEqual([`${turn}.2`])
    })
  }
})

describe("claimed, dead, no `exit`, `agent` there", () => {
  it("I3 I8 I12 nobody knows the outcome: the text so far is kept, and the next turn waits for a person", async ({
    world,
  }) => {
    const next = { id: "order-2", text: "and then the next" }
    const first = world.first(twoHalves, { prompts: [prompt, next] })
    await world.reached("middle")
    await first.sent()
    await first.kill()
    await world.endRuns()
    expect(world.evidence.files()).toMatchObject({ exit: null, ended: null })
    const host = await world.open()
    const session = host.session("s")
    const [turn, waiting] = session.turns().map(row => session.turn(row.turn))
    expect(await turn?.result).toMatchObject({ outcome: "outcomeUnknown", failure: null, text: before })
    expect(session.status()).toMatchObject({ state: "paused", queued: 1 })
    expect(world.evidence.notes("prompt")).toHaveLength(1)
    world.pass("middle")
    await session.resume()
    expect(await waiting?.result).toMatchObject(whole)
    expect(world.evidence.notes("prompt")).toHaveLength(2)
  })

  it("I7 a reader gets what there was, once, and the end", async ({ world }) => {
    const first = world.first(twoHalves)
    await first.hasRead("text", event => event.type === "text.delta")
    await world.reached("middle")
    await first.kill()
    await world.endRuns()
    const turn = (await world.open()).turn(world.evidence.turn().turn)
    await expectSeamless(turn, first.read(), before)
  })
})
