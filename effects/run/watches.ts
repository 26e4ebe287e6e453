/**
 * All watches of a host: at most one per run, opened from what the log knows, taken over by whoever ends the
 * run. What lasts lives here, so that no effect has to.
 */
import { Context, Effect, FiberMap, Layer, Semaphore } from "effect"
import { streamOf } from "../../machines/words.ts"
import { StoreError } from "../../store/errors.ts"
import { idsOfStream, inRun } from "../correlation.ts"
import type { Log } from "../log.ts"
import type { Moments } from "../moments.ts"
import { triedAgain } from "../patience.ts"
import type { Identities } from "../process/identity.ts"
import type { RunFolderError } from "../run-folder/errors.ts"
import type { RunFolders } from "../run-folder/folder.ts"
import { Settings } from "../settings.ts"
import { runKnowledge } from "./knowledge.ts"
import { makeWatch, type Watch } from "./watch.ts"

type Needs = Log | Moments | RunFolders | Settings | Identities
type Problem = StoreError | RunFolderError

export class RunWatches extends Context.Service<
  RunWatches,
  {
    /** The run's watch, wherever it stands. */
    readonly open: (run: string) => Effect.Effect<Watch, Problem>
    /** Watch in the background until the run is over. */
    readonly follow: (run: string) => Effect.Effect<void>
    /** Stop watching in the background; the watch goes to the one who ends the run. */
    readonly take: (run: string) => Effect.Effect<Watch, Problem>
    /** The run is over, its end is in the log. */
    readonly forget: (run: string) => void
  }
>()("holdfast/effects/run/RunWatches") {
  static readonly layer: Layer.Layer<RunWatches, never, Needs> = Layer.effect(
    RunWatches,
    Effect.gen(function* () {
      const services = yield* Effect.context<Needs>()
      const fibers = yield* FiberMap.make<string>()
      const watches = new Map<string, Watch>()

      const oneAtATime = Semaphore.makeUnsafe(1)
      const open = Effect.fnUntraced(
        function* (run: string) {
          const known = watches.get(run)
          if (known !== undefined) return known
          const { about, boot, cursor, conclusion } = yield* runKnowledge(run)
          const { agents } = yield* Settings
          const adapter = agents.get(about.agent)
          if (adapter === undefined) return yield* Effect.die(new Error(`no adapter for "${about.agent}"`))
          const watch = yield* makeWatch({
            run,
            session: about.session,
            boot,
            start: about,
            translator: adapter.translator,
            cursor,
            concluded: conclusion !== null,
          })
          watches.set(run, watch)
          return watch
        },
        Effect.provide(services),
        opening => oneAtATime.withPermit(opening),
      )

      return RunWatches.of({
        open,
        follow: run => {
          const watching = open(run).pipe(
            Effect.flatMap(watch => watch.loop.pipe(inRun(run, watch.watched.session))),
            Effect.provide(services),
            goingOn,
            reportLoss,
            Effect.annotateLogs(idsOfStream(streamOf.run(run))),
          )
          return FiberMap.run(fibers, run, watching, { onlyIfMissing: true }).pipe(Effect.asVoid)
        },
        take: run => FiberMap.remove(fibers, run).pipe(Effect.andThen(open(run))),
        forget: run => {
          watches.delete(run)
        },
      })
    }),
  )
}

/** What is in the way of reading, such as a want of descriptors, passes, and nobody else would read this run. */
const goingOn = triedAgain(
  "a run cannot be watched now, and is tried again",
  error => error instanceof StoreError && !error.retryable,
)

/** A watch that cannot go on (another host took over, a defect) is said to have stopped; nothing else stops. */
const reportLoss = Effect.catchCause(cause => Effect.logWarning("a run is no longer watched", cause))
