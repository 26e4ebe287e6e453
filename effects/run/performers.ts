/** Every effect kind of every machine, who performs it, and who asks what became of it after a crash. */
import type { Effect } from "effect"
import { z } from "zod"
import type { EffectDefinition } from "../../machines/kernel.ts"
import type { effects } from "../../machines/run-inputs.ts"
import { runId } from "../../machines/words.ts"
import { askLaunch, end, launch, type Outcome, prepare, probe, type RunNeeds, tombstone } from "./perform.ts"

export type { Outcome, RunNeeds }

type Perform = (
  params: Readonly<Record<string, unknown>>,
) => Effect.Effect<Outcome<RunNeeds>, unknown, RunNeeds>

/** An adoptable effect must be able to ask; a repeatable one is performed again. */
type Performer<D extends EffectDefinition> = D["class"] extends "adoptable"
  ? { readonly perform: Perform; readonly ask: Perform }
  : D["class"] extends "repeatable"
    ? { readonly perform: Perform; readonly ask?: never }
    : never

const ofRun = z.object({ run: runId })
const probing = ofRun.extend({ timer: z.string() })
const ending = ofRun.extend({ mode: z.enum(["afterResult", "interrupt", "sweep"]) })

const ofRuns: { readonly [K in keyof typeof effects]: Performer<(typeof effects)[K]> } = {
  prepare: { perform: params => prepare(ofRun.parse(params).run) },
  launch: {
    perform: params => launch(ofRun.parse(params).run),
    ask: params => askLaunch(ofRun.parse(params).run),
  },
  tombstone: { perform: params => tombstone(ofRun.parse(params).run) },
  probe: { perform: params => probe(probing.parse(params).run, probing.parse(params).timer) },
  end: { perform: params => end(ofRun.parse(params).run, ending.parse(params).mode) },
}

export const performers: Readonly<Record<string, { readonly perform: Perform; readonly ask?: Perform }>> =
  ofRuns
