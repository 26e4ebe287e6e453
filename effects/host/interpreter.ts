/**
 * The interpreter: outbox rows become effects, in order per stream, and their first outcome becomes the next
 * input. It knows which function belongs to which kind, and nothing of what any of them means.
 */
import { Cause, Context, Effect, Fiber, FiberSet, Latch, Layer, Semaphore } from "effect"
import type { OutboxRow } from "../../store/types.ts"
import { inEffect } from "../correlation.ts"
import { Log } from "../log.ts"
import { triedAgain } from "../patience.ts"
import { type Outcome, performers, type RunNeeds } from "../run/performers.ts"
import { Held } from "./held.ts"
import { mustBeSeen } from "./must-see.ts"

export class Interpreter extends Context.Service<
  Interpreter,
  {
    /** From now on nothing that begins a run is taken up; it stays in the outbox for the next host. */
    readonly stopStarting: () => void
    /** Rows of held sessions, which an earlier host left: what became of them is asked, not done again, where the class says so. */
    readonly recover: (sessions: readonly string[]) => Effect.Effect<void>
  }
>()("holdfast/effects/host/Interpreter") {
  static readonly layer: Layer.Layer<Interpreter, never, RunNeeds | Held> = Layer.effect(
    Interpreter,
    Effect.gen(function* () {
      const log = yield* Log
      const services = yield* Effect.context<RunNeeds>()
      const fibers = yield* FiberSet.make()
      const work = Latch.makeUnsafe(false)
      const underWay = new Set<string>()
      const held = yield* Held
      let starting = true
      const lanes = new Map<string, Semaphore.Semaphore>()

      /** One effect, to its outcome in the log; until then nothing else of its stream starts. */
      const perform = Effect.fnUntraced(function* (row: OutboxRow, recovered: boolean) {
        yield* Effect.logDebug("effect started", { recovered })
        const outcome = yield* once(row, recovered).pipe(triedAgain("an effect failed and is tried again"))
        const receipt = yield* log.append({
          stream: row.stream,
          inputs: outcome.inputs,
          texts: outcome.texts,
          effect: row.id,
          actor: "host",
          correlation: row.correlation ?? undefined,
        })
        const { position, state } = receipt
        yield* Effect.logDebug("effect finished", { outcome: outcome.inputs.at(-1)?.type, state, position })
        yield* mustBeSeen(log.store, row, receipt, outcome)
        if (outcome.done !== undefined) yield* outcome.done
      })

      const start = (row: OutboxRow, recovered: boolean) => {
        const waits = (held.has(row.session) && !recovered) || (!starting && beginsRun.has(row.kind))
        if (underWay.has(row.id) || waits) return
        underWay.add(row.id)
        const lane = lanes.get(row.stream) ?? Semaphore.makeUnsafe(1)
        lanes.set(row.stream, lane)
        return FiberSet.run(
          fibers,
          lane.withPermit(perform(row, recovered).pipe(Effect.withLogSpan("effect"))).pipe(
            Effect.ensuring(Effect.sync(() => underWay.delete(row.id))),
            Effect.catchCause(cause =>
              Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("an effect was given up", cause),
            ),
            inEffect(row),
            Effect.provide(services),
          ),
        )
      }

      const takeUp = (recovered: (row: OutboxRow) => boolean) =>
        Effect.forEach(
          log.store.outbox({ hostOwned: true }),
          row => (row.undecodable ? undefined : start(row, recovered(row))) ?? Effect.void,
          { discard: true },
        )

      yield* Effect.gen(function* () {
        while (true) {
          yield* work.await
          work.closeUnsafe()
          yield* takeUp(() => false)
        }
      }).pipe(Effect.forkScoped)
      const stop = log.store.onCommit(() => work.openUnsafe())
      yield* Effect.addFinalizer(() => Effect.sync(stop))

      return Interpreter.of({
        stopStarting: () => {
          starting = false
        },
        recover: Effect.fnUntraced(function* (sessions) {
          const isOurs = (row: OutboxRow) => sessions.includes(row.session)
          // What became of a launch has to be in the log before a timer may ask about it.
          const asked = yield* Effect.forEach(log.store.outbox({ hostOwned: true }), row => {
            const mayAsk = !row.undecodable && isOurs(row) && performers[row.kind]?.ask !== undefined
            return (mayAsk ? start(row, true) : undefined) ?? Effect.succeed(null)
          })
          const answers = asked.flatMap(fiber => (fiber === null ? [] : [Fiber.await(fiber)]))
          // One folder that cannot be read must not keep the host from opening; its effect goes on trying.
          yield* Effect.all(answers, { discard: true }).pipe(Effect.timeoutOption(askPatience))
          held.release(sessions)
          yield* takeUp(isOurs)
        }),
      })
    }),
  )
}

const beginsRun: ReadonlySet<string> = new Set(["prepare", "launch"])

/** How long an opening waits to hear what became of what a dead host had begun. */
const askPatience = "5 seconds"

/** What an effect's recovery class makes of a row whose host died: repeat it, ask the world, or give it up. */
function once(row: OutboxRow, recovered: boolean): Effect.Effect<Outcome<RunNeeds>, unknown, RunNeeds> {
  const performer = performers[row.kind]
  if (performer === undefined) return Effect.die(new Error(`nobody performs "${row.kind}"`))
  return recovered && performer.ask !== undefined ? performer.ask(row.params) : performer.perform(row.params)
}
