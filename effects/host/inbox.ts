/** Commands that other processes left for sessions of this host: stepped here, answered by their receipts. */
import { Effect } from "effect"
import { idsOfStream } from "../correlation.ts"
import { Log } from "../log.ts"

/** How long another process may wait for its command to be looked at. */
const beatMs = 50
const most = 64

/** Until the scope closes. A refusal is the poster's answer; what cannot be appended now stays and is tried again. */
export const serveInbox = Effect.gen(function* () {
  const log = yield* Log
  const serve = Effect.gen(function* () {
    const commands = log.store.takeInbox(most)
    for (const { stream, command } of commands)
      yield* Effect.logDebug("command taken from the inbox", { ...idsOfStream(stream), command: command?.id })
    yield* Effect.forEach(commands, command => Effect.ignore(log.submit(command)), {
      discard: true,
      concurrency: "unbounded",
    })
  })
  while (true) {
    yield* serve.pipe(Effect.catchCause(cause => Effect.logWarning("the inbox could not be read", cause)))
    yield* Effect.sleep(beatMs)
  }
}).pipe(Effect.forkScoped, Effect.asVoid)
