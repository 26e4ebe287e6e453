/**
 * One row of the failure table: what the agent says, and what we make of it. Data only; a host may add rows of
 * its own before ours. The sentence is ours and holds nothing of what the agent printed.
 */
import type { Failure, FailureKind } from "../../../../machines/words.ts"

/** What an agent's error text means. Rows are asked in order, and the first that matches says it. */
export interface FailureRule {
  /** Any of these. A string is matched as whole words in any case; a pattern as it is, in any case. */
  readonly when: readonly (string | RegExp)[]
  /** The failure that the turn ends with: its kind, a code such as `MY_PROXY_DOWN`, whether to try again. */
  readonly failure: Failure
  /** One sentence for a person: what happened, and the next step. */
  readonly explanation: string
  /** Takes at most a few short facts out of the agent's text, e.g. a date or ids, to follow the sentence. */
  readonly detail?: (text: string) => string | null
  /** The conversation cannot take another prompt. */
  readonly breaksConversation?: true
}

/** A row as our own tables write it down. */
export type Row = readonly [
  kind: FailureKind,
  code: string,
  retry: "retryable" | "final",
  when: FailureRule["when"],
  explanation: string,
  more?: Pick<FailureRule, "detail" | "breaksConversation">,
]

export function ruleOf([kind, code, retry, when, explanation, more]: Row): FailureRule {
  return { when, failure: { kind, code, retryable: retry === "retryable" }, explanation, ...more }
}
