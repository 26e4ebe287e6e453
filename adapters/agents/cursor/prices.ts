/**
 * What a turn cost, estimated from its tokens and the id it was asked for (CU-05). Unknown is null, never 0: no
 * price, or any unknown count, is no cost. Subscriptions, regions and team fees are not in it.
 */
import type { Usage } from "../../../machines/words.ts"
import { type Price, type PriceTable, prices } from "./price-table.ts"

export { type Price, type PriceTable, prices }

/** An estimate of what a turn cost. */
export interface Cost {
  /** US dollars, not rounded. */
  readonly amountUsd: number
  readonly label: "estimated"
  /** ISO date of the prices. */
  readonly asOf: string
}

const tokensPerPrice = 1_000_000

/**
 * What a turn cost by the table, from the model it was asked for and its four token counts. Null when it cannot be
 * said: no usage, an unknown count in it, or no price for the model, as for `auto`.
 */
export function costOf(model: string, usage: Usage | null, table: PriceTable = prices): Cost | null {
  const price = priceOf(model, table)
  if (price === null || usage === null) return null
  const { inputTokens, cacheWriteTokens, cacheReadTokens, outputTokens } = usage
  if (
    inputTokens === null ||
    cacheWriteTokens === null ||
    cacheReadTokens === null ||
    outputTokens === null
  ) {
    return null
  }
  // Four separate counts, four products: input does not include what was read from the cache (CU-06). Where no
  // price for writing it is published, writing is charged as the input it is; other tables take 0.
  const products =
    inputTokens * price.input +
    cacheWriteTokens * (price.cacheWrite ?? price.input) +
    cacheReadTokens * price.cacheRead +
    outputTokens * price.output
  return { amountUsd: products / tokensPerPrice, label: "estimated", asOf: table.asOf }
}

/** The price of an id, whole or without the suffixes that do not change it. `auto` hides what runs: no price. */
export function priceOf(model: string, table: PriceTable = prices): Price | null {
  for (const id of spellings(model)) if (Object.hasOwn(table.models, id)) return table.models[id] ?? null
  return null
}

const fast = /-fast$/
const effort = /-(?:none|low|medium|extra-high|xhigh|high|max)$/
const thinking = /-thinking$/

function spellings(model: string): readonly string[] {
  const id = model.trim().toLowerCase().replaceAll(".", "-")
  // `-fast` comes last and has its own price, so it is kept while the rest is taken off.
  const isFast = fast.test(id)
  const whole = id.replace(fast, "")
  const bare = whole.replace(effort, "").replace(thinking, "")
  const names = [whole, whole.replace(effort, ""), bare].map(name => (isFast ? `${name}-fast` : name))
  // Until April 2026 ids of Claude models had no vendor: `opus-4.6-thinking`.
  return [id, ...names].flatMap(name => [name, `claude-${name}`])
}
