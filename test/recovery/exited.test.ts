/** Row "`exit`": the run ended while no host lived, without a terminal line, and is settled with what there is. */
import { describe, expect } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { before, endsWith, gate, turn } from "./support/scenarios.ts"
import { until } from "./support/until.ts"
import { it, type World } from "./support/world.ts"

const plainText = turn(
  ...gate("middle"),
  { do: "raw", utf8: "The answer, in plain text.\n" },
  { do: "exit", code: 0 },
)

describe("a run that exited while no host lived", () => {
  it("I10 with 0 and plain text, succeeded with that text", async ({ world }) => {
    expect(await settledAfter(world, plainText)).toMatchObject({
      outcome: "succeeded",
      text: "The answer, in plain text.",
    })
    expect(world.evidence.files().exit).toEqual({ status: 0, failure: null })
  })

  it("with 1, failed, and keeps the text so far", async ({ world }) => {
    const end = endsWith({ do: "stderr", text: "a fault of its own\n" }, { do: "exit", code: 1 })
    expect(await settledAfter(world, end)).toMatchObject({
      outcome: "failed",
      text: before,
      failure: { code: "AGENT_EXITED" },
    })
  })

  it("by a signal of its own, failed, and keeps the text so far", async ({ world }) => {
    const end = endsWith({ do: "signal", name: "SIGKILL" })
    expect(await settledAfter(world, end)).toMatchObject({
      outcome: "failed",
      text: before,
      failure: { kind: "crashed", code: "AGENT_KILLED" },
    })
  })
})

async function settledAfter(world: World, scenario: Scenario) {
  const first = world.first(scenario)
  await world.reached("middle")
  await first.kill()
  world.pass("middle")
  await until("the launcher has written exit", () => world.evidence.files().exit)
  await world.untilDead()
  return (await world.open()).turn(world.evidence.turn().turn).result
}
