/**
 * Prices in USD per million tokens, as data with their date. From copies of cursor.com's models page (July to
 * September 2026). A row is only here when all but the cache write is published; unknown ids have no price.
 * Null: the page shows "-" for cache writes. Never guess a row: a missing price is honest, a wrong one is not.
 */
/** USD per million tokens, of one model. */
export interface Price {
  readonly input: number
  readonly cacheWrite: number | null
  readonly cacheRead: number
  readonly output: number
}

/** Prices with their date; another table may be given to `costOf`. */
export interface PriceTable {
  /** ISO date of the newest row. */
  readonly asOf: string
  /** By model id without effort and `-thinking`, dots as dashes; `-fast` is a row of its own. */
  readonly models: Readonly<Record<string, Price>>
}

const price = (input: number, cacheWrite: number | null, cacheRead: number, output: number): Price => ({
  input,
  cacheWrite,
  cacheRead,
  output,
})

const opus4 = price(5, 6.25, 0.5, 25)
const opus4Fast = price(30, 37.5, 3, 150)
const sonnet4 = price(3, 3.75, 0.3, 15)
const gpt52 = price(1.75, null, 0.175, 14)
const gpt51 = price(1.25, null, 0.125, 10)
const gptMini = price(0.25, null, 0.025, 2)
const gemini3Pro = price(2, null, 0.2, 12)
const geminiFlash = price(0.75, null, 0.075, 3.5)

/** The table that comes along: published prices of Cursor's models, as of its date. */
export const prices: PriceTable = {
  asOf: "2026-09-25",
  models: {
    "composer-2-5": price(0.5, null, 0.2, 2.5),
    "composer-2-5-fast": price(3, null, 0.5, 15),
    "composer-2": price(0.5, null, 0.2, 2.5),
    "composer-2-fast": price(1.5, null, 0.35, 7.5),
    "composer-1-5": price(3.5, null, 0.35, 17.5),
    "composer-1": price(1.25, null, 0.125, 10),
    "grok-4-7": price(2, null, 0.5, 6),
    "grok-4-7-fast": price(4, null, 1, 12),
    "cursor-grok-4-6": price(2, null, 0.5, 6),
    "cursor-grok-4-6-fast": price(4, null, 1, 12),
    "grok-4-5": price(2, null, 0.5, 6),
    "grok-4-5-fast": price(4, null, 1, 18),
    "claude-opus-5-5": price(4, 5, 0.2, 20),
    "claude-opus-5": price(5, 6.25, 0.5, 25),
    "claude-opus-4-8": opus4,
    "claude-opus-4-7": opus4,
    "claude-opus-4-7-fast": opus4Fast,
    "claude-opus-4-6": opus4,
    "claude-opus-4-6-fast": opus4Fast,
    "claude-opus-4-5": opus4,
    "claude-sonnet-5": sonnet4,
    "claude-sonnet-4-6": sonnet4,
    "claude-sonnet-4-5": sonnet4,
    "claude-sonnet-4": sonnet4,
    "claude-haiku-4-5": price(1, 1.25, 0.1, 5),
    "claude-fable-5": price(10, 12.5, 1, 50),
    "claude-fable-5-1": price(10, 12.5, 0.25, 50),
    "gpt-5-6-sol": price(4, 5, 0.4, 20),
    "gpt-5-6-terra": price(2, 2.5, 0.2, 12),
    "gpt-5-5": price(5, null, 0.5, 30),
    "gpt-5-4": price(2.5, null, 0.25, 15),
    "gpt-5-4-fast": price(5, null, 0.5, 30),
    "gpt-5-4-mini": price(0.75, null, 0.075, 4.5),
    "gpt-5-4-nano": price(0.2, null, 0.02, 1.25),
    "gpt-5-3-codex": gpt52,
    "gpt-5-2": gpt52,
    "gpt-5-2-codex": gpt52,
    "gpt-5-1-codex": gpt51,
    "gpt-5-1-codex-max": gpt51,
    "gpt-5-1-codex-mini": gptMini,
    "gpt-5": gpt51,
    "gpt-5-codex": gpt51,
    "gpt-5-mini": gptMini,
    "gemini-3-1-pro": gemini3Pro,
    "gemini-3-pro": gemini3Pro,
    "gemini-3-8-flash": geminiFlash,
    "gemini-3-7-flash": geminiFlash,
    "gemini-3-6-flash": price(1.5, null, 0.15, 7.5),
    "gemini-3-5-flash": price(1.5, null, 0.15, 9),
    "gemini-3-flash": price(0.5, null, 0.05, 3),
    "gemini-2-5-flash": price(0.3, null, 0.03, 2.5),
    "kimi-k3": price(3, null, 0.3, 15),
    "kimi-k2-7-code": price(0.95, null, 0.19, 4),
    "kimi-k2-5": price(0.6, null, 0.1, 3),
  },
}
