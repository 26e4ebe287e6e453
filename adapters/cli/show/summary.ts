/** How a turn ended, in a line or two for a person. Words only; nothing is printed here. */
import type { TurnSettled } from "../../../effects/follow/events.ts"
import type { Usage } from "../../../machines/words.ts"
import type { TurnResult } from "../../library/turn.ts"
import { harmless, type Palette } from "../colours.ts"
import {
  degradedSentence,
  emptyReply,
  failureSentence,
  outcomeWords,
  settledWords,
  unknownOutcome,
  unknownStops,
} from "./words.ts"

/** Of a turn that has just ended here. */
export function summary(result: TurnResult, took: string, paint: Palette): readonly string[] {
  const { outcome, usage } = result
  const mark = outcome === "succeeded" ? paint.green("✓") : paint.red("✗")
  const first = `${mark} ${outcomeWords[outcome]} after ${took}${tokens(usage)}`
  return [first, ...remarks(result, paint), ...(outcome === "outcomeUnknown" ? [unknownStops] : [])]
}

/** Of a turn that ended at some time, somewhere. */
export function settled(event: TurnSettled & { readonly turn: string }, paint: Palette): readonly string[] {
  return [paint.dim(`turn ${event.turn} ${settledWords[event.outcome]}`), ...remarks(event, paint)]
}

/** Why, and what came along with it; nothing for a plain success. */
function remarks(ended: Omit<TurnSettled, "type">, paint: Palette): readonly string[] {
  const { outcome, failure, explanation, degraded, left } = ended
  const lines: string[] = []
  if (failure !== null) lines.push(harmless(failureSentence(failure, explanation)))
  if (outcome === "outcomeUnknown") lines.push(unknownOutcome)
  if (ended.emptyReply) lines.push(emptyReply)
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
