/** Field cases CU: what a turn used, as far as it is known. Unknown is null, and never 0. */
import { describe, expect } from "vitest"
import { costOf } from "../../adapters/agents/index.ts"
import type { Usage } from "../../machines/words.ts"
import { it, ofType } from "./harness.ts"

const counts = (
  input: number | null,
  output: number | null,
  read: number | null,
  write: number | null,
): Usage => ({
  inputTokens: input,
  outputTokens: output,
  cacheReadTokens: read,
  cacheWriteTokens: write,
})

describe.concurrent("usage", () => {
  const shapes: Readonly<Record<string, Usage | null>> = {
    "cu-01": null,
    "cu-01-empty": null,
    "cu-01-nulls": null,
    "cu-01-zero": counts(0, 0, 0, 0),
    "cu-01-extra": counts(10, 3, 0, 0),
    "cu-06": counts(4633, 359, 22656, 0),
  }
  for (const [scenario, usage] of Object.entries(shapes))
    it(`CU-01 CU-06 ${scenario} is ${usage === null ? "unknown" : "four counts of their own"}`, async ({
      place,
    }) => {
      const { events, result, host, turn } = await place.play(scenario)
      expect(result).toMatchObject({ outcome: "succeeded", usage })
      expect(ofType(events, "turn.settled")).toMatchObject([{ usage }])
      expect((await host.turn(turn.id).result).usage).toEqual(usage)
    })

  it("CU-01 a negative count is unknown, and spoils no other", async ({ place }) => {
    const { result } = await place.play("cu-01-negative")
    expect(result.usage).toEqual(counts(null, 3, 0, 0))
    expect(costOf("composer-2.5-fast", result.usage)).toBeNull()
  })

  it("CU-01 counts that came as text are never taken for 0", async ({ place }) => {
    const { result } = await place.play("cu-01-strings")
    expect(result.outcome).toBe("succeeded")
    const { inputTokens, outputTokens } = result.usage ?? counts(null, null, null, null)
    expect([12, null]).toContain(inputTokens)
    expect([3, null]).toContain(outputTokens)
  })

  it("CU-03 what a failed result used counts", async ({ place }) => {
    const { result } = await place.play("cu-03")
    expect(result).toMatchObject({
      outcome: "failed",
      failure: { kind: "quota", code: "QUOTA_EXHAUSTED" },
      usage: counts(900, 40, 0, 0),
    })
  })

  it("CU-03 a failure after a tool ran has an unknown usage, and is not run again", async ({ place }) => {
    const { result } = await place.play("cu-03-unknown")
    expect(result).toMatchObject({ outcome: "failed", failure: { kind: "quota" }, usage: null })
    expect(place.noted("started")).toHaveLength(1)
  })

  for (const [scenario, model, priced] of [
    ["cu-05", "composer-2.5-fast", true],
    // Its price as `-fast` was never published, and another one's would be wrong.
    ["cu-05-effort", "claude-opus-5-5-xhigh-fast", false],
    ["st-17", "claude-opus-5-5-xhigh", true],
    ["cu-05-unknown", "brand-new-1", false],
    ["cu-06", "auto", false],
  ] as const)
    it(`CU-05 ${model} is priced by the id that was asked for, or not at all`, async ({ place }) => {
      const host = await place.open({ scenario })
      const session = await host.launch({ cwd: place.cwd, model })
      const { events, result } = await place.take(session, "count what this costs")
      expect(ofType(events, "run.started")).toMatchObject([{ model }])
      expect(result.usage?.inputTokens).toBeGreaterThan(0)
      const cost = costOf(model, result.usage)
      if (priced) expect(cost?.amountUsd).toBeGreaterThan(0)
      else expect(cost).toBeNull()
    })
})
