/**
 * What this adapter refuses to build: a typed error, thrown before anything is spawned. Its message names the
 * option and the next step. Never put a prompt, a key or any other value that could be secret into it.
 */
import { Data } from "effect"
import type { Failure } from "../../../machines/words.ts"

/** An option or an argument that an adapter will not build a command line from. Nothing was started or appended. */
export class AgentRefusal extends Data.TaggedError("AgentRefusal")<Failure & { readonly message: string }> {}

/** A refusal that only a change of configuration lifts. */
export function refuse(code: string, message: string): AgentRefusal {
  return new AgentRefusal({ kind: "config", code, retryable: false, message })
}
