/**
 * Asks the failure table. It sees stderr and the text of an error result, never the model's reply: replies and
 * reviewed diffs are full of "401" and "rate limit" (FB-05). The first row that matches says it.
 */
import { stripVTControlCharacters } from "node:util"
import type { Failure, FailureKind } from "../../../../machines/words.ts"
import { matcher } from "./phrase.ts"
import { redact } from "./redact.ts"
import { retryAfter } from "./retry-after.ts"
import type { FailureRule } from "./rule.ts"

export interface Diagnosis {
  readonly failure: Failure
  readonly explanation: string
  readonly breaksConversation: boolean
  readonly retryAfterMs?: number
}

/** Failures that pass with time, so that a time to wait means something. */
const waits: ReadonlySet<FailureKind> = new Set(["rateLimited", "overloaded", "quota"])

/** More than the tail of stderr that is kept, so that nothing is scanned without bound. */
const maxScannedChars = 128 * 1024
const maxDetailChars = 160

export function classify(text: string, rules: readonly FailureRule[]): Diagnosis | null {
  const clean = plainErrors(text)
  if (clean.trim() === "") return null
  const rule = rules.find(candidate => candidate.when.some(when => matcher(when).test(clean)))
  if (rule === undefined) return null
  const detail = rule.detail?.(clean) ?? null
  const retryAfterMs = waits.has(rule.failure.kind) ? retryAfter(clean) : null
  return {
    failure: rule.failure,
    explanation:
      detail === null ? rule.explanation : `${rule.explanation} ${redact(detail).slice(0, maxDetailChars)}`,
    breaksConversation: rule.breaksConversation ?? false,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  }
}

/**
 * Error text as a person would read it: without escapes, and without lines of the protocol, which some builds
 * mirror to stderr together with the reply in them (ST-19).
 */
export function plainErrors(text: string): string {
  return stripVTControlCharacters(text.slice(-maxScannedChars))
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .filter(line => !/^\s*\{.*"type"\s*:/.test(line.slice(0, 256)))
    .join("\n")
}
