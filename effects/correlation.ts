/** The ids that a log line carries, so that one turn's story can be found by any of them. */
import { Effect, References } from "effect"
import { idOf, machineOf, streamOf, turnIdOf } from "../machines/words.ts"
import type { OutboxRow } from "../store/types.ts"

/** Which turn and run a stream is about. */
export function idsOfStream(stream: string): Readonly<Record<string, string>> {
  const id = idOf(stream)
  switch (machineOf(stream)) {
    case "run":
      return { stream, turn: turnIdOf(id), run: id }
    case "turn":
      return { stream, turn: id }
    default:
      return { stream, session: id }
  }
}

/** For everything that is said while an effect is performed. */
export const inEffect = ({ stream, session, id, kind, position }: OutboxRow) => {
  const ids = { ...idsOfStream(stream), session, effect: id, kind, askedAt: position }
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => Effect.annotateLogs(effect, ids)
}

/** For what goes on after the effect that began it: in the run's own name, and not in that effect's. */
export const inRun = (run: string, session: string) => {
  const ids = { ...idsOfStream(streamOf.run(run)), session }
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    effect.pipe(
      Effect.provideService(References.CurrentLogAnnotations, ids),
      Effect.provideService(References.CurrentLogSpans, []),
    )
}
