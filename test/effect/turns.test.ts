/** Turns through the Effect layer: the same events and results, and what interrupting a fiber does and does not do. */
import { readdirSync, readlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Fiber, Stream } from "effect"
import { expect } from "vitest"
import { Holdfast, openHost } from "../../adapters/library/index.ts"
import { all, it, until, untilThere } from "../cases/harness.ts"
import { optionsOf, playing, run, waiting } from "./support.ts"

const reply = playing({ do: "text", text: "All is done.", chunks: 4 }, { do: "result" })

it("a turn's stream and result are those of the other front door", async ({ place }) => {
  const seen = await run(
    optionsOf(place, reply),
    Effect.gen(function* () {
      const session = yield* (yield* Holdfast).launch({ cwd: place.cwd, id: "one" })
      const turn = yield* session.send("please do it", { id: "order-1" })
      const events = yield* Stream.runCollect(turn.events())
      return { id: turn.id, events, result: yield* turn.result }
    }),
  )
  expect(seen.result).toMatchObject({ outcome: "succeeded", text: "All is done." })
  const host = await openHost(optionsOf(place, reply))
  const turn = host.session("one").send("please do it", { id: "order-1" })
  expect(turn.id).toBe(seen.id)
  expect(await all(turn)).toEqual(seen.events)
  expect(await turn.result).toEqual(seen.result)
  await host.close()
  expect(place.noted("prompt")).toHaveLength(1)
})

it("I7 a stream that was cut goes on behind its last cursor, without gap or repetition", async ({
  place,
}) => {
  const [whole, parts] = await run(
    optionsOf(place, reply),
    Effect.gen(function* () {
      const session = yield* (yield* Holdfast).launch({ cwd: place.cwd })
      const turn = yield* session.send("please")
      const first = yield* turn.events().pipe(Stream.take(3), Stream.runCollect)
      const second = yield* Stream.runCollect(turn.events({ after: first.at(-1)?.at ?? "" }))
      return [yield* Stream.runCollect(turn.events()), [...first, ...second]] as const
    }),
  )
  expect(parts).toEqual(whole)
  expect(parts.at(-1)?.type).toBe("turn.settled")
})

it("interrupting who waits leaves the turn alone, and the next one who waits gets the result", async ({
  place,
}) => {
  const go = place.at("go")
  const result = await run(
    optionsOf(place, waiting(go)),
    Effect.gen(function* () {
      const session = yield* (yield* Holdfast).launch({ cwd: place.cwd })
      const turn = yield* session.send("please")
      const waiter = yield* Effect.forkChild(turn.result)
      yield* turn.events().pipe(
        Stream.takeUntil(event => event.type === "text.delta"),
        Stream.runDrain,
      )
      yield* Fiber.interrupt(waiter)
      expect((yield* session.status()).currentTurn).toBe(turn.id)
      writeFileSync(go, "")
      return yield* turn.result
    }),
  )
  expect(result).toMatchObject({ outcome: "succeeded", text: "I begin. I end." })
  expect(place.noted("signal")).toEqual([])
})

it("who wants the turn to end with its waiter says so", async ({ place }) => {
  const outcome = await run(
    optionsOf(place, waiting(place.at("never"))),
    Effect.gen(function* () {
      const session = yield* (yield* Holdfast).launch({ cwd: place.cwd })
      const turn = yield* session.send("please")
      const bound = turn.result.pipe(Effect.onInterrupt(() => Effect.ignore(turn.interrupt())))
      const waiter = yield* Effect.forkChild(bound)
      yield* turn.events().pipe(
        Stream.takeUntil(event => event.type === "text.delta"),
        Stream.runDrain,
      )
      yield* Fiber.interrupt(waiter)
      return (yield* turn.result).outcome
    }),
  )
  expect(outcome).toBe("interrupted")
})

it("interrupting a reader ends it, also while it waits for the next event", async ({ place }) => {
  const readers = () => spoolsOpen(place.home)
  await run(
    optionsOf(place, waiting(place.at("go"))),
    Effect.gen(function* () {
      const session = yield* (yield* Holdfast).launch({ cwd: place.cwd })
      const turn = yield* session.send("please")
      const until = (enough: () => boolean) => Effect.promise(() => untilTrue(enough))
      yield* turn.events().pipe(
        Stream.takeUntil(event => event.type === "text.delta"),
        Stream.runDrain,
      )
      yield* until(() => readers() === 1) // the host's own
      const reader = yield* Effect.forkChild(Stream.runDrain(turn.events()))
      yield* until(() => readers() === 2)
      yield* Fiber.interrupt(reader)
      yield* until(() => readers() === 1)
      expect((yield* session.status()).currentTurn).toBe(turn.id)
      yield* turn.interrupt()
    }),
  )
})

it("the session's verbs work: queue, interrupt by id, pause, resume, archive", async ({ place }) => {
  const go = place.at("go")
  await run(
    optionsOf(place, waiting(go)),
    Effect.gen(function* () {
      const holdfast = yield* Holdfast
      const session = yield* holdfast.launch({ cwd: place.cwd, id: "verbs" })
      const first = yield* session.send("the first")
      const second = yield* session.send("the second")
      const third = yield* session.send("the third")
      yield* session.interrupt(second.id)
      yield* session.pause()
      expect((yield* first.result).outcome).toBe("interrupted")
      expect((yield* session.status()).state).toBe("paused")
      writeFileSync(go, "")
      yield* session.resume()
      expect((yield* third.result).outcome).toBe("succeeded")
      expect((yield* session.turns()).map(row => row.outcome)).toEqual([
        "interrupted",
        "interrupted",
        "succeeded",
      ])
      expect((yield* (yield* holdfast.turn(third.id)).result).text).toBe("I begin. I end.")
      expect((yield* holdfast.sessions()).map(row => row.session)).toEqual(["verbs"])
      yield* session.archive()
      expect((yield* (yield* holdfast.session("verbs")).status()).state).toBe("archived")
      expect((yield* holdfast.erase("verbs")).complete).toBe(true)
      expect((yield* third.result).text).toBe(null)
    }),
  )
  await untilThere(place.journalPath)
})

const untilTrue = (isTrue: () => boolean) => until(isTrue)

/** Descriptors of this process on a spool of the place. */
function spoolsOpen(home: string): number {
  return readdirSync("/proc/self/fd").filter(fd => {
    try {
      const path = readlinkSync(join("/proc/self/fd", fd))
      return path.startsWith(home) && path.endsWith("/stdout")
    } catch {
      return false // closed while we looked
    }
  }).length
}
