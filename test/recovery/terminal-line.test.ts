/** "The spool is read to its end first": a terminal line in it settles the turn, whatever the files say. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { after, answersThen, before, short } from "./support/scenarios.ts"
import { until } from "./support/until.ts"
import { it, type World } from "./support/world.ts"

const whole = { outcome: "succeeded", failure: null, text: before + after }

describe("I10 an answer that came while no host lived is the outcome", () => {
  it("although the process then exited with 1", async ({ world }) => {
    await answered(world, answersThen({ do: "exit", code: 1 }))
    await until("exit is there", () => world.evidence.files().exit)
    expect(await settled(world)).toMatchObject(whole)
  })

  it("although everything was killed, and nobody wrote how it ended", async ({ world }) => {
    await answered(world, answersThen({ do: "hang" }))
    await world.endRuns()
    expect(world.evidence.files()).toMatchObject({ exit: null, ended: null })
    expect(await settled(world)).toMatchObject(whole)
  })

  it("although its process lingers on, which is ended", async ({ world }) => {
    await answered(world, answersThen({ do: "hang" }))
    expect(await settled(world)).toMatchObject(whole)
    expect(world.alive()).toEqual([])
  })

  it("although the launcher ended the lingering process as unattended", async ({ world }) => {
    const first = world.first(answersThen({ do: "hang" }), { limits: { unattendedMs: 100 } })
    await world.reached("middle")
    first.stop()
    world.pass("middle")
    await untilInSpool(world)
    await first.kill()
    await until(
      "the launcher has ended it",
      () => world.evidence.files().ended && world.evidence.files().exit,
    )
    expect(await settled(world)).toMatchObject(whole)
  })

  it("although the host was away for longer than every limit: no timer speaks before the spool", async ({
    world,
  }) => {
    const first = world.first(answersThen({ do: "hang" }))
    await world.reached("middle")
    await first.kill()
    world.pass("middle")
    await untilInSpool(world)
    const late = world.next({ disguise: { aheadMs: 48 * 3_600_000 } })
    await late.ready()
    expect(await world.evidence.untilSettled()).toMatchObject({ outcome: "succeeded", failure: null })
    expect(world.evidence.logged("run.resultSeen")).toMatchObject([{ from: "active", to: "closing" }])
    expect(world.evidence.logged("run.timer")).toEqual([])
  })

  it("also when its host was killed before it knew of a claim, and was away for longer than every limit", async ({
    world,
  }) => {
    await world.first(short, { points: [{ act: "kill", when: "before", event: "run.launched" }] }).died()
    await until("exit is there", () => world.evidence.files().exit)
    const late = world.next({ disguise: { aheadMs: 48 * 3_600_000 } })
    await late.ready()
    expect(await world.evidence.untilSettled()).toMatchObject({ outcome: "succeeded", failure: null })
  })
})

async function answered(world: World, scenario: ReturnType<typeof answersThen>): Promise<void> {
  const first = world.first(scenario)
  await world.reached("middle")
  await first.kill()
  world.pass("middle")
  await untilInSpool(world)
}

async function untilInSpool(world: World): Promise<void> {
  const spool = join(world.evidence.folder(world.evidence.run()), "stdout")
  await until("the terminal line is in the spool", () =>
    /"type":"result".*\n$/.test(readFileSync(spool, "utf8")),
  )
}

async function settled(world: World) {
  return (await world.open()).turn(world.evidence.turn().turn).result
}
