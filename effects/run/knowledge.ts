/** What the log knows of a run, read from its snapshot. Nothing is remembered here. */
import { Effect } from "effect"
import { orThrow } from "../../machines/kernel.ts"
import { type Context, context } from "../../machines/run-inputs.ts"
import { streamOf } from "../../machines/words.ts"
import { Log } from "../log.ts"

export type AboutRun = NonNullable<Context["about"]>

export const runKnowledge = Effect.fnUntraced(function* (run: string) {
  const log = yield* Log
  const snapshot = yield* log.snapshot(streamOf.run(run))
  const { value: state, context: known } = orThrow(snapshot)
  const { about, ...rest } = context.parse(known)
  return { ...rest, state, about: orThrow(about) }
})
