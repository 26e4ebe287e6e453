/** The same verbs for a program that uses Effect: the layer opens a host, its scope closes it. */
import { tmpdir } from "node:os"
import { Console, Effect, Stream } from "effect"
import { Holdfast } from "holdfast"
import { rehearsal } from "holdfast/agents"

const program = Effect.gen(function* () {
  const holdfast = yield* Holdfast
  const session = yield* holdfast.launch({ cwd: tmpdir() })
  const turn = yield* session.send("Leave a note", { id: "note-1" })

  // Whoever stops waiting leaves the turn alone; here it is ended with its waiter.
  const result = turn.result.pipe(Effect.onInterrupt(() => Effect.ignore(turn.interrupt())))
  const tools = turn.events().pipe(
    Stream.filter(event => event.type === "tool.started"),
    Stream.runForEach(event => Console.log(event.title)),
  )
  const [settled] = yield* Effect.all([result, tools], { concurrency: "unbounded" })

  // Errors are values with a code, and the store's can be told apart by their tag.
  yield* session
    .send("Leave another note", { id: "note-1" })
    .pipe(Effect.catchTag("CommandConflict", error => Console.log(`${error.code}, as it should be`)))
  return settled.outcome
})

const outcome = await Effect.runPromise(
  program.pipe(Effect.provide(Holdfast.layer({ agents: [rehearsal()] }))),
)
console.log(outcome)
