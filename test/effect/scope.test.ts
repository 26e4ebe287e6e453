/** A layer's host: opened once, closed with its scope, also by an interruption; and what its errors are. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { Cause, Effect, Exit, Fiber, Latch, Layer, Stream } from "effect"
import { expect } from "vitest"
import { Holdfast, Refusal } from "../../adapters/library/index.ts"
import { isHostDead } from "../../store/index.ts"
import { it, refusal } from "../cases/harness.ts"
import { optionsOf, playing, refused, run, waiting } from "./support.ts"

const good = playing({ do: "text", text: "Done." }, { do: "result" })

/** Launches, sends, and waits until the agent has said something. */
const begin = (cwd: string) =>
  Effect.gen(function* () {
    const session = yield* (yield* Holdfast).launch({ cwd, id: "begun" })
    const turn = yield* session.send("please", { id: "order-1" })
    yield* turn.events().pipe(
      Stream.takeUntil(event => event.type === "text.delta"),
      Stream.runDrain,
    )
    return turn
  })

it("the scope's end interrupts what runs, and gives the session back", async ({ place }) => {
  const options = optionsOf(place, waiting(place.at("go")))
  const turn = await run(options, begin(place.cwd))
  expect(place.alive()).toEqual([])
  expect(place.read(reader => reader.turn(turn.id))).toMatchObject({ outcome: "interrupted" })
  expect(place.read(reader => reader.ownerOf("begun"))?.host).toBe(null)
  // A handle that outlived its host says so.
  expect(await refusal(() => Effect.runPromise(turn.result))).toMatchObject({ code: "HOST_CLOSED" })
})

it("with `leave` the agent goes on, and the next layer's host brings its turn home", async ({ place }) => {
  const go = place.at("go")
  const options = { ...optionsOf(place, waiting(go)), close: { leave: true } }
  const turn = await run(options, begin(place.cwd))
  expect(place.alive()).not.toEqual([])
  writeFileSync(go, "")
  const result = await run(
    options,
    Effect.gen(function* () {
      return yield* (yield* (yield* Holdfast).turn(turn.id)).result
    }),
  )
  expect(result).toMatchObject({ outcome: "succeeded", text: "I begin. I end." })
  expect(place.noted("prompt")).toHaveLength(1)
})

it("interrupting the whole program closes its host", async ({ place }) => {
  const options = optionsOf(place, waiting(place.at("go")))
  await Effect.runPromise(
    Effect.gen(function* () {
      const begun = yield* Latch.make()
      const program = begin(place.cwd).pipe(Effect.andThen(begun.open), Effect.andThen(Effect.never))
      const fiber = yield* Effect.forkChild(program.pipe(Effect.provide(Holdfast.layer(options))))
      yield* begun.await
      const host = place.read(reader => reader.ownerOf("begun"))?.host ?? ""
      expect(isHostDead(place.home, host)).toBe(false)
      yield* Fiber.interrupt(fiber)
      expect(isHostDead(place.home, host)).toBe(true)
    }),
  )
  expect(place.alive()).toEqual([])
})

it("what a caller can be refused with is in the error channel, as it is", async ({ place }) => {
  await run(
    optionsOf(place, good),
    Effect.gen(function* () {
      const holdfast = yield* Holdfast
      const missing = yield* refused(holdfast.launch({ cwd: place.at("nowhere") }))
      expect(missing).toBeInstanceOf(Refusal)
      expect(missing).toMatchObject({ code: "CWD_MISSING", retryable: false })
      expect((yield* refused(holdfast.session("none"))).code).toBe("SESSION_UNKNOWN")
      expect((yield* refused(holdfast.turn("none"))).code).toBe("TURN_UNKNOWN")
      const session = yield* holdfast.launch({ cwd: place.cwd })
      expect((yield* refused(session.send(" "))).code).toBe("PROMPT_EMPTY")
      const turn = yield* session.send("the one", { id: "order-1" })
      const conflict = session.send("another one", { id: "order-1" })
      const caught = conflict.pipe(Effect.catchTag("CommandConflict", error => Effect.succeed(error.command)))
      expect(yield* caught).toContain("order-1")
      const cursor = yield* refused(Stream.runDrain(turn.events({ after: "no cursor" })))
      expect(cursor.code).toBe("CURSOR_INVALID")
      yield* turn.result
    }),
  )
})

it("a layer that cannot open fails with the reason", async ({ place }) => {
  mkdirSync(place.home)
  chmodSync(place.home, 0o755)
  const opening = Effect.flip(Effect.scoped(Layer.build(Holdfast.layer(optionsOf(place, good)))))
  expect(await Effect.runPromise(opening)).toMatchObject({ code: "FOLDER_MODE", retryable: false })
})

it("anything unexpected is a defect", async ({ place }) => {
  const agent = place.agent({ scenario: good })
  const broken = { ...agent, locate: () => Promise.reject(new TypeError("a bug of the adapter")) }
  const exit = await run(
    { ...optionsOf(place, good), agents: [broken] },
    Effect.gen(function* () {
      const session = yield* (yield* Holdfast).launch({ cwd: place.cwd })
      return yield* Effect.exit(session.send("please"))
    }),
  )
  expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
})
