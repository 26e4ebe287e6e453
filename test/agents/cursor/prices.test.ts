import { describe, expect, it } from "vitest"
import { priceOf } from "../../../adapters/agents/cursor/prices.ts"
import { costOf, prices } from "../../../adapters/agents/index.ts"

const usage = { inputTokens: 4633, outputTokens: 359, cacheReadTokens: 22656, cacheWriteTokens: 0 }

describe("the cost of a turn", () => {
  it("CU-06 is the sum of four products", () => {
    const million = { inputTokens: 1e6, outputTokens: 1e6, cacheReadTokens: 1e6, cacheWriteTokens: 1e6 }
    expect(costOf("claude-opus-4-8-high", million)).toEqual({
      amountUsd: 36.75,
      label: "estimated",
      asOf: prices.asOf,
    })
    expect(costOf("composer-2.5", usage)?.amountUsd).toBeCloseTo(0.0077452, 10)
  })

  it("charges a cache write without a price as input", () => {
    expect(costOf("gpt-5.5", { ...usage, inputTokens: 0, cacheWriteTokens: 4633 })).toEqual(
      costOf("gpt-5.5", usage),
    )
  })

  it.each([
    ["composer-2.5", "composer-2-5"],
    ["composer-2.5-fast", "composer-2-5-fast"],
    ["claude-opus-5-5-xhigh", "claude-opus-5-5"],
    ["claude-opus-5-thinking-max", "claude-opus-5"],
    ["claude-opus-4-7-thinking-high-fast", "claude-opus-4-7-fast"],
    ["opus-4.6-thinking", "claude-opus-4-6"],
    ["gpt-5.4-nano-none", "gpt-5-4-nano"],
    ["gpt-5.1-codex-max", "gpt-5-1-codex-max"],
    ["gpt-5.1-codex-max-high", "gpt-5-1-codex-max"],
    ["gpt-5.5-extra-high", "gpt-5-5"],
    ["kimi-k3-max", "kimi-k3"],
    ["Grok-4.7-low-fast", "grok-4-7-fast"],
  ])("CU-05 prices %s as %s", (model, row) => {
    expect(priceOf(model)).toBe(prices.models[row])
    expect(priceOf(model)).toBeDefined()
  })

  it.each([
    ...["auto", "", "Composer 2.5 Fast", "grok", "gpt-5.3-codex-low-fast", "claude-opus-5-5-xhigh-fast"],
    ...["gpt-5.4-mini[reasoning=low]", "constructor", "__proto__", "unheard-of"],
  ])("CU-05 does not know what %j costs", model => {
    expect(costOf(model, usage)).toBeNull()
  })

  it("I34 is unknown when a count is", () => {
    expect(costOf("composer-2.5", null)).toBeNull()
    for (const name of Object.keys(usage))
      expect(costOf("composer-2.5", { ...usage, [name]: null })).toBeNull()
  })

  it("takes another table", () => {
    const table = {
      asOf: "2027-01-01",
      models: { own: { input: 1, cacheWrite: 1, cacheRead: 1, output: 1 } },
    }
    expect(
      costOf("own", { ...usage, inputTokens: 1e6, outputTokens: 0, cacheReadTokens: 0 }, table),
    ).toMatchObject({
      amountUsd: 1,
      asOf: "2027-01-01",
    })
  })
})
