/** How a turn ended, in a line or two for a person. Words only; nothing is printed here. */
import type { Usage } from "../../../machines/words.ts"
import type { TurnResult } from "../../library/turn.ts"
import { harmless, type Palette } from "../colours.ts"
import { degradedSentence, failureSentence, outcomeWords, unknownOutcome } from "./words.ts"

export function summary(result: TurnResult, took: string, paint: Palette): readonly string[] {
  const { outcome, failure, explanation, degraded, usage, left } = result
  const mark = outcome === "succeeded" ? paint.green("✓") : paint.red("✗")
  const lines = [`${mark} ${outcomeWords[outcome]} after ${took}${tokens(usage)}`]
  if (failure !== null)
    lines.push(explanation === null ? failureSentence(failure) : `${harmless(explanation)} (${failure.code})`)
  if (outcome === "outcomeUnknown") lines.push(unknownOutcome)
  if (degraded !== null) lines.push(paint.yellow(degradedSentence(degraded)))
  if (left.length > 0)
    lines.push(paint.yellow(`Still there, and not ours to end: process ${left.join(", ")}`))
  return lines
}

function tokens(usage: Usage | null): string {
  if (usage === null) return " · tokens unknown"
  const { inputTokens, outputTokens, cacheReadTokens } = usage
  const known = [
    inputTokens === null ? null : `${count(inputTokens)} in`,
    outputTokens === null ? null : `${count(outputTokens)} out`,
    cacheReadTokens === null || cacheReadTokens === 0 ? null : `${count(cacheReadTokens)} from the cache`,
  ].filter(part => part !== null)
  return ` · tokens: ${known.join(", ")}`
}

const count = (tokens: number) => tokens.toLocaleString("en")
