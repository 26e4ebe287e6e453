/**
 * Timers that machines asked for: rows of the log, looked at on a beat, fired as inputs. A row that another
 * visit armed anew has another generation, so what fires late fires into nothing.
 */
import { Context, Effect, Layer } from "effect"
import type { TimerRow } from "../../store/types.ts"
import { Log } from "../log.ts"
import { Held } from "./held.ts"

/** How late a timer may be. */
const beatMs = 100

export class Timers extends Context.Service<
  Timers,
  {
    /** From now on, and not before every spool was read. */
    readonly arm: Effect.Effect<void>
  }
>()("holdfast/effects/host/Timers") {
  static readonly layer: Layer.Layer<Timers, never, Log | Held> = Layer.effect(
    Timers,
    Effect.gen(function* () {
      const log = yield* Log
      const held = yield* Held
      const scope = yield* Effect.scope
      const fire = (row: TimerRow) =>
        log.append({
          stream: row.stream,
          inputs: [{ type: "timer", id: row.id }],
          timer: { id: row.id, generation: row.generation },
          actor: "host",
        })
      const beat = Effect.gen(function* () {
        const due = log.store.dueTimers().filter(row => !held.has(row.session))
        yield* Effect.forEach(due, fire, { discard: true, concurrency: "unbounded" })
      }).pipe(Effect.catchCause(cause => Effect.logWarning("timers could not fire", cause)))
      const beats = Effect.gen(function* () {
        while (true) {
          yield* beat
          yield* Effect.sleep(beatMs)
        }
      })
      return Timers.of({ arm: beats.pipe(Effect.forkIn(scope), Effect.asVoid) })
    }),
  )
}
