/**
 * Codex counts by conversation: a resumed turn's line has the tokens of all turns so far. What one run used is the
 * difference to what was counted before it, and unknown where that is.
 */
import type { RunStart } from "../../../../effects/agent.ts"
import type { Usage } from "../../../../machines/words.ts"
import { count, known } from "../../common/stream/count.ts"
import { isRecord } from "../../common/stream/json.ts"

/** The four never overlap: Codex' input includes what was read from and written to its cache. */
export function conversationUsage(value: unknown): Usage | null {
  if (!isRecord(value)) return null
  const cacheReadTokens = count(value.cached_input_tokens)
  const cacheWriteTokens = count(value.cache_write_input_tokens)
  const input = count(value.input_tokens)
  return known({
    inputTokens: input === null ? null : count(input - (cacheReadTokens ?? 0) - (cacheWriteTokens ?? 0)),
    outputTokens: count(value.output_tokens),
    cacheReadTokens,
    cacheWriteTokens,
  })
}

/** Of this run alone. */
export function runUsage(total: Usage | null, { resume, usageBefore }: RunStart): Usage | null {
  if (resume === null || total === null) return total
  if (usageBefore === null) return null
  const used = (name: keyof Usage) => {
    const [now, before] = [total[name], usageBefore[name]]
    // Less than before would be the count of something else.
    return now === null || before === null ? null : count(now - before)
  }
  return known({
    inputTokens: used("inputTokens"),
    outputTokens: used("outputTokens"),
    cacheReadTokens: used("cacheReadTokens"),
    cacheWriteTokens: used("cacheWriteTokens"),
  })
}
