/** Row "`ended`": the launcher ended the run, for the reason that it wrote. */
import { expect } from "vitest"
import { before, endsWith, twoHalves } from "./support/scenarios.ts"
import { until } from "./support/until.ts"
import { it, type World } from "./support/world.ts"

it("I9 a run that was unattended for too long is ended by its launcher, and failed for that", async ({
  world,
}) => {
  const first = world.first(twoHalves, { limits: { unattendedMs: 100 } })
  await world.reached("middle")
  await first.kill()
  await untilEnded(world)
  const result = await (await world.open()).turn(world.evidence.turn().turn).result
  expect(result).toMatchObject({ outcome: "failed", failure: { code: "UNATTENDED" }, text: before })
  expect(world.evidence.notes("signal")).toMatchObject([{ name: "SIGTERM" }])
})

it("I16 a run that printed too much while no host lived is ended by its launcher, and failed for that", async ({
  world,
}) => {
  const scenario = endsWith({ do: "flood", bytes: 200_000 }, { do: "hang" })
  const first = world.first(scenario, { limits: { maxSpoolBytes: 100_000 } })
  await world.reached("middle")
  await first.kill()
  world.pass("middle")
  await untilEnded(world)
  const result = await (await world.open()).turn(world.evidence.turn().turn).result
  expect(result).toMatchObject({ outcome: "failed", failure: { code: "SPOOL_LIMIT" }, text: before })
})

it("a host that lives hears of it too", async ({ world }) => {
  const scenario = endsWith({ do: "flood", bytes: 200_000 }, { do: "hang" })
  world.first(scenario, { limits: { maxSpoolBytes: 100_000 } })
  await world.reached("middle")
  world.pass("middle")
  expect(await world.evidence.untilSettled()).toMatchObject({
    outcome: "failed",
    failure: { code: "SPOOL_LIMIT" },
  })
})

async function untilEnded(world: World): Promise<void> {
  await until(
    "the launcher has ended the run",
    () => world.evidence.files().ended && world.evidence.files().exit,
  )
  await world.untilDead()
}
