/**
 * Row "no `spawning` in the log, or no `claim` and the same boot": the prompt was not delivered. The next host
 * starts the run, unless it lacks what that takes; one that was cancelled is never started by anybody.
 */
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { withoutKey } from "./fixtures/keyless.ts"
import { holdBeforeClaim } from "./support/hold.ts"
import { after, before, short } from "./support/scenarios.ts"
import { it, type World } from "./support/world.ts"

const whole = { outcome: "succeeded", text: before + after }
const diesAfter = (event: string) => ({ points: [{ act: "kill", when: "after", event }] as const })

describe("I36 a host without the key", () => {
  for (const event of ["session.send", "run.prepared"]) {
    it(`spawns nothing for a turn that died after ${event}, says why, and one with the key goes on`, async ({
      world,
    }) => {
      await world.first(short, diesAfter(event)).died()
      const keyless = await world.open({ agents: [withoutKey(world.agent())] })
      await world.evidence.untilLogged("run.blocked")
      expect(world.evidence.turn().state).toBe("blocked")
      expect(world.evidence.logged("run.blocked").map(blocked => blocked.data)).toEqual([
        { reason: "keyMissing" },
      ])
      expectNothingStarted(world)
      await keyless.close({ leave: true })
      const host = await world.open()
      expect(await host.turn(world.evidence.turn().turn).result).toMatchObject(whole)
    })
  }
})

it("I36 a host without the adapter takes nothing over, and one with it does", async ({ world }) => {
  await world.first(short, diesAfter("run.prepared")).died()
  const head = world.evidence.log(reader => reader.head())
  const stranger = await world.open({ agents: [{ ...world.agent(), name: "somebody-else" }] })
  expect(stranger.sessions()).toHaveLength(1)
  await stranger.close()
  expect(world.evidence.log(reader => reader.head())).toEqual(head)
  expectNothingStarted(world)
  const host = await world.open()
  expect(await host.turn(world.evidence.turn().turn).result).toMatchObject(whole)
})

describe("I8 I12 a turn that was cancelled before its start", () => {
  for (const [what, point] of [
    ["before anybody claimed", { when: "after", event: "run.interrupt" }],
    ["when the tombstone was there and the log did not know", { when: "before", event: "run.tombstoned" }],
  ] as const) {
    it(`is never started, also when its host was killed ${what}`, async ({ world }) => {
      await world.first(short, diesAfter("run.prepared")).died()
      const second = world.next({ keyless: true, points: [{ act: "kill", ...point }] })
      await world.evidence.untilLogged("run.blocked")
      second.order({ type: "interrupt" })
      await second.died()
      const host = await world.open()
      const result = await host.turn(world.evidence.turn().turn).result
      expect(result).toMatchObject({ outcome: "interrupted", text: null })
      expect(world.evidence.files().claim).toEqual({ by: "host" })
      expectNothingStarted(world)
    })
  }

  it("is never started by a launcher that comes to its claim too late", async ({ world }) => {
    const first = world.first(short, { points: [{ act: "stop", when: "after", event: "run.prepared" }] })
    await first.stopped()
    const held = holdBeforeClaim(world.evidence.folder(world.evidence.run()))
    first.goOn()
    await held.reached()
    held.restore()
    await first.obey({ type: "interrupt" })
    expect(world.evidence.turn().outcome).toBe("interrupted")
    held.release()
    await world.untilDead()
    expectNothingStarted(world)
  })
})

it("I8 two launchers of one run start one agent: the claim is exclusive", async ({ world }) => {
  const first = world.first(short, { points: [{ act: "stop", when: "after", event: "run.prepared" }] })
  await first.stopped()
  const held = holdBeforeClaim(world.evidence.folder(world.evidence.run()))
  first.goOn()
  await held.reached()
  await first.kill()
  held.restore()
  const host = await world.open()
  expect(await host.turn(world.evidence.turn().turn).result).toMatchObject(whole)
  held.release()
  await world.untilDead()
  expect(world.evidence.notes("started")).toHaveLength(1)
})

it("a host that comes later than every limit starts it all the same: no time was used up yet", async ({
  world,
}) => {
  await world.first(short, diesAfter("run.prepared")).died()
  const late = world.next({ disguise: { aheadMs: 48 * 3_600_000 } })
  await late.ready()
  expect(await world.evidence.untilSettled()).toMatchObject({ outcome: "succeeded" })
})

it("another version of the program, found by the next host, is what it starts", async ({ world }) => {
  await world.first(short, { points: [{ act: "kill", when: "before", event: "run.prepared" }] }).died()
  const binary = join(world.root, "another-version")
  symlinkSync(process.execPath, binary)
  const host = await world.open({ agents: [{ ...world.agent(), locate: async () => ({ binary }) }] })
  expect(await host.turn(world.evidence.turn().turn).result).toMatchObject(whole)
})

it("I8 a launcher that was killed before its claim is buried, and the turn starts another run", async ({
  world,
}) => {
  const first = world.first(short, {
    points: [
      { act: "stop", when: "after", event: "run.prepared" },
      { act: "kill", when: "before", event: "run.launchFailed" },
    ],
  })
  await first.stopped()
  const held = holdBeforeClaim(world.evidence.folder(world.evidence.run()))
  first.goOn()
  await held.reached()
  await world.endRuns()
  held.restore()
  await first.died()
  const host = await world.open()
  expect(await host.turn(world.evidence.turn().turn).result).toMatchObject(whole)
  expect(world.evidence.files().claim).toEqual({ by: "host" })
  expect(world.evidence.notes("prompt").map(note => note.run)).toEqual([`${world.evidence.turn().turn}.2`])
})

function expectNothingStarted(world: World): void {
  expect(world.evidence.notes("started")).toEqual([])
  expect(world.alive()).toEqual([])
}
