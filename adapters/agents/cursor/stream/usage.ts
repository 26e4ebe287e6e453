/** Token counts of one invocation (CU-01). */
import type { Usage } from "../../../../machines/words.ts"
import { count, known } from "../../common/stream/count.ts"
import { isRecord } from "../../common/stream/json.ts"

export function parseUsage(value: unknown): Usage | null {
  if (!isRecord(value)) return null
  return known({
    // Cursor's input excludes what was read from its cache, so the four never overlap (CU-06).
    inputTokens: count(value.inputTokens),
    outputTokens: count(value.outputTokens),
    cacheReadTokens: count(value.cacheReadTokens),
    cacheWriteTokens: count(value.cacheWriteTokens),
  })
}
