/** Both front doors have the same verbs: what one gains, the other must, or this fails. */
import { Effect } from "effect"
import { expect, expectTypeOf } from "vitest"
import {
  Holdfast,
  type HoldfastSession,
  type HoldfastTurn,
  type HoldfastVerbs,
  Host,
  Session,
  Turn,
} from "../../adapters/library/index.ts"
import { it } from "../cases/harness.ts"
import { optionsOf, playing, run } from "./support.ts"

/** Said by the layer's scope. */
const ofTheScope = ["close"]
/** `send` succeeds when the prompt is durable, so there is nothing left to wait for. */
const ofSend = ["accepted"]

const verbsOf = (kind: { readonly prototype: object }, fields: readonly string[] = []) =>
  [...Object.getOwnPropertyNames(kind.prototype), ...fields].filter(name => name !== "constructor")

it("each class and its Effect twin have the same verbs, called in the same way", async ({ place }) => {
  const twins = await run(
    optionsOf(place, playing({ do: "text", text: "Done." }, { do: "result" })),
    Effect.gen(function* () {
      const holdfast = yield* Holdfast
      const session = yield* holdfast.launch({ cwd: place.cwd })
      const turn = yield* session.send("please")
      yield* turn.result
      return { holdfast, session, turn }
    }),
  )
  const without = (names: readonly string[], left: readonly string[]) =>
    names.filter(name => !left.includes(name)).toSorted()
  expect(Object.keys(twins.holdfast).toSorted()).toEqual(without(verbsOf(Host), ofTheScope))
  expect(Object.keys(twins.session).toSorted()).toEqual(without(verbsOf(Session, ["id"]), []))
  expect(Object.keys(twins.turn).toSorted()).toEqual(
    without(verbsOf(Turn, ["id", "session", "accepted"]), ofSend),
  )
})

/** What a verb takes; streams end with their scope, so they take no signal. */
type Takes<T> = {
  -readonly [V in keyof T]: T[V] extends (...given: infer Given) => unknown ? Given : "nothing"
}

it("and their verbs take the same", () => {
  expectTypeOf<Takes<HoldfastVerbs>>().toEqualTypeOf<Takes<Pick<Host, keyof HoldfastVerbs>>>()
  type SessionVerbs = Exclude<keyof HoldfastSession, "events">
  expectTypeOf<Takes<Pick<HoldfastSession, SessionVerbs>>>().toEqualTypeOf<
    Takes<Pick<Session, SessionVerbs>>
  >()
  type TurnVerbs = Exclude<keyof HoldfastTurn, "events">
  expectTypeOf<Takes<Pick<HoldfastTurn, TurnVerbs>>>().toEqualTypeOf<Takes<Pick<Turn, TurnVerbs>>>()
})
