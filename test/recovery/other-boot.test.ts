/**
 * Row "no `claim`, another boot": the claim may have been lost with the power, so nobody knows whether the prompt
 * was delivered. The first host here sees another boot id than the machine has, as every host before a reboot did.
 */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import type { Point } from "./fixtures/plan.ts"
import { after, answersThen, before, short, twoHalves } from "./support/scenarios.ts"
import { until } from "./support/until.ts"
import { it, type World } from "./support/world.ts"

const earlier = { boot: "an-earlier-boot" }
const unknown = { outcome: "outcomeUnknown", failure: null }

describe("after a power cut", () => {
  it("I8 a run whose launcher was asked for, and that has no claim, is not started again", async ({
    world,
  }) => {
    await world.first(short, { disguise: earlier, points: [dies("after", "run.prepared")] }).died()
    const host = await world.open()
    const turn = host.turn(world.evidence.turn().turn)
    expect(await turn.result).toMatchObject({ ...unknown, text: null })
    expect(host.session("s").status().state).toBe("paused")
    expect(world.evidence.notes("started")).toEqual([])
  })

  it("I8 one whose launcher had not been asked for is started", async ({ world }) => {
    await world.first(short, { disguise: earlier, points: [dies("before", "run.prepared")] }).died()
    const host = await world.open()
    const result = await host.turn(world.evidence.turn().turn).result
    expect(result).toMatchObject({ outcome: "succeeded", text: before + after })
  })

  for (const event of ["run.launched", "run.found"]) {
    it(`I8 I10 a claim that was lost with the power leaves the text so far, killed after ${event}`, async ({
      world,
    }) => {
      await powerCut(world, event)
      const host = await world.open()
      const turn = host.turn(world.evidence.turn().turn)
      expect(await turn.result).toMatchObject({ ...unknown, text: before })
      expect(world.evidence.notes("prompt")).toHaveLength(1)
    })
  }

  it("I8 what is found out about one session does not start what another one had asked for", async ({
    world,
  }) => {
    const first = world.first(twoHalves, { disguise: earlier })
    await world.reached("middle")
    await world.evidence.untilLogged("run.spoke")
    await first.kill()
    const other = { id: "order-2", text: "in another session" }
    const second = world.next({
      session: "s2",
      launch: true,
      prompts: [other],
      disguise: earlier,
      points: [dies("after", "run.prepared")],
    })
    await second.died()
    await world.endRuns()
    const host = await world.open()
    const [turn, asked] = ["s", "s2"].flatMap(session => host.session(session).turns())
    expect(await host.turn(turn?.turn ?? "").result).toMatchObject({ ...unknown, text: before })
    expect(await host.turn(asked?.turn ?? "").result).toMatchObject({ ...unknown, text: null })
    expect(world.evidence.notes("prompt")).toHaveLength(1)
  })

  it("a claim that was not lost is of a process that no boot survives", async ({ world }) => {
    const first = world.first(twoHalves, { disguise: earlier })
    await world.reached("middle")
    await first.kill()
    await world.endRuns()
    const host = await world.open()
    expect(await host.turn(world.evidence.turn().turn).result).toMatchObject({ ...unknown, text: before })
  })

  it("I10 a terminal line in the spool settles the turn, with or without a claim", async ({ world }) => {
    const first = world.first(answersThen({ do: "hang" }), {
      disguise: earlier,
      points: [dies("after", "run.launched")],
    })
    await first.died()
    world.pass("middle")
    await until("the agent has answered", () =>
      world.evidence.notes("waiting").some(note => note.for === "ever"),
    )
    await world.endRuns()
    rmSync(join(world.evidence.folder(world.evidence.run()), "claim"))
    const host = await world.open()
    const result = await host.turn(world.evidence.turn().turn).result
    expect(result).toMatchObject({ outcome: "succeeded", text: before + after })
  })
})

/** The agent is in the middle; then everything is dead at once, and the claim is gone. */
async function powerCut(world: World, event: string): Promise<void> {
  const first = world.first(twoHalves, { disguise: earlier, points: [dies("after", event)] })
  await first.died()
  await world.reached("middle")
  await world.endRuns()
  rmSync(join(world.evidence.folder(world.evidence.run()), "claim"))
}

function dies(when: Point["when"], event: string): Point {
  return { act: "kill", when, event }
}
