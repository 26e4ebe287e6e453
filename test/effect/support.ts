/** Programs on the Effect layer, each on a host of its own in the place of its case. */
import { Effect } from "effect"
import { Holdfast, type HoldfastError, type LayerOptions } from "../../adapters/library/index.ts"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import type { Place } from "../cases/harness.ts"

export const optionsOf = (place: Place, scenario: Scenario | string): LayerOptions => ({
  agents: [place.agent({ scenario })],
  home: place.home,
  env: place.env,
  pollMs: 20,
})

/** Provides the layer, runs the program, and has closed the host when it resolves. */
export const run = <A>(
  options: LayerOptions,
  program: Effect.Effect<A, HoldfastError, Holdfast>,
): Promise<A> => Effect.runPromise(program.pipe(Effect.provide(Holdfast.layer(options))))

/** What the verb was refused with; that it was not is a defect of the case. */
export const refused = <A>(verb: Effect.Effect<A, HoldfastError>): Effect.Effect<HoldfastError> =>
  verb.pipe(Effect.flip, Effect.orDie)

export const playing = (...steps: Scenario["turns"][number]["steps"]): Scenario => ({
  turns: [{ steps: [{ do: "init" }, { do: "user" }, ...steps] }],
})

/** Says something, and waits for a file before it ends. */
export const waiting = (path: string): Scenario =>
  playing(
    { do: "text", text: "I begin. ", chunks: 3 },
    { do: "waitForFile", path },
    { do: "text", text: "I end." },
    { do: "result" },
  )
