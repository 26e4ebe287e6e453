/**
 * Row "alive in another namespace or on another host": not ours to judge. The first host here has another name, or
 * is in another PID namespace, so everything its launcher recorded is elsewhere for whoever comes after.
 */
import { describe, expect } from "vitest"
import type { Disguise } from "./fixtures/plan.ts"
import { after, before, twoHalves } from "./support/scenarios.ts"
import { it, type World } from "./support/world.ts"

const anotherHost = { hostname: "another-host.example" }
const anotherNamespace = { namespace: "pid:[1]" }
const hour = 3_600_000

describe("a run that is alive elsewhere", () => {
  for (const [where, disguise] of [
    ["on another host", anotherHost],
    ["in another namespace", anotherNamespace],
  ] as const) {
    it(`I3 ${where} is waited for, and after unattendedMs its outcome is unknown, with the text so far`, async ({
      world,
    }) => {
      await leftElsewhere(world, disguise)
      const next = world.next()
      await next.ready()
      expect(world.evidence.logged("run.found").at(-1)?.data).toMatchObject({ process: "elsewhere" })
      expect(world.evidence.turn().state).toBe("running")
      await next.obey({ type: "ahead", ms: 2 * hour })
      expect(await world.evidence.untilSettled()).toMatchObject({ outcome: "outcomeUnknown", failure: null })
      const { reply, session } = world.evidence.turn()
      const text = world.evidence.log(reader => reader.readText(session, reply?.digest ?? ""))
      expect(Buffer.from(text ?? []).toString()).toBe(before)
      expect(world.evidence.log(reader => reader.session("s"))).toMatchObject({ state: "paused" })
    })
  }

  it("I10 settles by its terminal line when that comes first", async ({ world }) => {
    await leftElsewhere(world, anotherHost)
    const host = await world.open()
    world.pass("middle")
    const result = await host.turn(world.evidence.turn().turn).result
    expect(result).toMatchObject({ outcome: "succeeded", text: before + after })
  })

  it("I22 goes on waiting when one of its own kind takes over again, and time alone ends nothing", async ({
    world,
  }) => {
    await leftElsewhere(world, anotherHost)
    const stranger = world.next()
    await stranger.ready()
    await stranger.kill()
    const own = world.next({ disguise: anotherHost })
    await own.ready()
    expect(world.evidence.logged("run.found").at(-1)?.data).toMatchObject({ process: "alive" })
    await own.obey({ type: "ahead", ms: 2 * hour })
    world.pass("middle")
    expect(await world.evidence.untilSettled()).toMatchObject({ outcome: "succeeded" })
  })
})

async function leftElsewhere(world: World, disguise: Disguise): Promise<void> {
  const first = world.first(twoHalves, {
    disguise,
    limits: { idleMs: 9 * hour, firstOutputMs: 9 * hour },
  })
  await world.reached("middle")
  await world.evidence.untilLogged("run.spoke")
  await first.kill()
}
