/**
 * Token counts of one invocation (CU-01). Unknown is null, never 0: a missing, negative, fractional or textual
 * count is unknown, and four unknown counts are no usage at all.
 */
import type { Usage } from "../../../../machines/words.ts"
import { isRecord } from "./json.ts"

export function parseUsage(value: unknown): Usage | null {
  if (!isRecord(value)) return null
  const usage: Usage = {
    // Cursor's input excludes what was read from its cache, so the four never overlap (CU-06).
    inputTokens: count(value.inputTokens),
    outputTokens: count(value.outputTokens),
    cacheReadTokens: count(value.cacheReadTokens),
    cacheWriteTokens: count(value.cacheWriteTokens),
  }
  return Object.values(usage).every(tokens => tokens === null) ? null : usage
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
}
