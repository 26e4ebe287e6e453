/** A count of tokens. Unknown is null, never 0: a missing, negative, fractional or textual one is unknown. */
import type { Usage } from "../../../../machines/words.ts"

export function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** Four unknown counts are no usage at all. */
export function known(usage: Usage): Usage | null {
  return Object.values(usage).every(tokens => tokens === null) ? null : usage
}
