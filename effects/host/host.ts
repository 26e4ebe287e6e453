/**
 * A host: all services over one store, and the order in which they begin. Owner lock and log come first (they are
 * given), then adoption, outstanding effects, timers, and last the commands of others.
 */
import { Context, Effect, Layer } from "effect"
import type { EraseReport, Store } from "../../store/index.ts"
import { isHostDead } from "../../store/owner-lock.ts"
import { Log } from "../log.ts"
import { Moments } from "../moments.ts"
import { Processes } from "../process/end.ts"
import { Identities } from "../process/identity.ts"
import { RunWatches } from "../run/watches.ts"
import { RunFolders } from "../run-folder/folder.ts"
import { type HostSettings, Settings } from "../settings.ts"
import { adoptSessions } from "./adopt.ts"
import { Held } from "./held.ts"
import { serveInbox } from "./inbox.ts"
import { Interpreter } from "./interpreter.ts"
import { loggingLayer } from "./logging.ts"
import { narrate } from "./narrator.ts"
import { eraseSession, sweepRegularly } from "./retention.ts"
import { Timers } from "./timers.ts"

export class Host extends Context.Service<
  Host,
  {
    /** Take over the sessions that nobody live owns and whose agent is registered here; their ids. */
    readonly claim: Effect.Effect<readonly string[], unknown>
    /** Take every text of a session away; it must be ours, and at rest. */
    readonly erase: (session: string) => Effect.Effect<EraseReport, unknown>
    /** Start no further run; those that run go on, and are ended or left by the caller. */
    readonly stopStarting: () => void
  }
>()("holdfast/effects/host/Host") {
  static readonly layer = Layer.effect(
    Host,
    Effect.gen(function* () {
      const log = yield* Log
      const settings = yield* Settings
      const interpreter = yield* Interpreter
      const held = yield* Held
      const services = yield* Effect.context<
        Log | Settings | Identities | RunFolders | RunWatches | Moments | Interpreter | Processes
      >()
      const claim = Effect.gen(function* () {
        const claimed = log.store.claimSessions({
          agents: [...settings.agents.keys()],
          isHostDead: host => isHostDead(settings.folder, host),
        })
        const sessions = claimed.map(({ session }) => session)
        held.hold(sessions)
        for (const { session, agent, epoch, previousHost } of claimed)
          yield* Effect.logInfo("session claimed", { session, agent, epoch, previousHost })
        if (sessions.length > 0) yield* adoptSessions(sessions)
        return sessions
      }).pipe(Effect.provide(services))
      yield* Effect.addFinalizer(() => Effect.logInfo("host closed"))
      for (const quarantined of log.store.quarantined())
        yield* Effect.logWarning("a stream is quarantined: run verify", quarantined)
      yield* claim
      yield* (yield* Timers).arm
      yield* serveInbox
      yield* sweepRegularly
      yield* Effect.logInfo("host opened", { folder: settings.folder, agents: [...settings.agents.keys()] })
      return Host.of({
        claim,
        erase: session => eraseSession(session).pipe(Effect.provide(services)),
        stopStarting: interpreter.stopStarting,
      })
    }),
  )
}

export const hostLayer = (settings: HostSettings, store: Store) => {
  const ground = Layer.mergeAll(
    Log.layer(store),
    Layer.succeed(Settings, settings),
    Moments.layer,
    Processes.layer,
    Identities.layer,
    Held.layer,
  )
  const told = Layer.effectDiscard(narrate).pipe(Layer.provideMerge(ground))
  const folders = RunFolders.layer(settings.folder).pipe(Layer.provideMerge(told))
  const watches = RunWatches.layer.pipe(Layer.provideMerge(folders))
  const interpreter = Layer.mergeAll(Interpreter.layer, Timers.layer).pipe(Layer.provideMerge(watches))
  return Host.layer.pipe(Layer.provideMerge(interpreter), Layer.provide(loggingLayer(settings)))
}
