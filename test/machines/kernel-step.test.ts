/** The kernel's own rules: what it rejects before anything is appended, and what it keeps of a state. */
import { describe, expect, test } from "vitest"
import { assign, createMachine } from "xstate"
import { z } from "zod"
import {
  command,
  defineMachine,
  initialSnapshot,
  limits,
  observation,
  replay,
  session,
  step,
  timerInput,
  turn,
} from "../../machines/index.ts"
import { type AnyInput, givenOf } from "./given.ts"
import { session as on } from "./samples/session.ts"

const given = givenOf(session)
const onTurn = givenOf(turn)

describe("an input", () => {
  test("that no machine knows, or whose fields are wrong, is rejected by name", () => {
    given().when({ type: "explode" }).then({ rejected: "INPUT_UNKNOWN" })
    given().when({ type: "toString" }).then({ rejected: "INPUT_UNKNOWN" })
    given(on.launch).when({ type: "send" }).then({ rejected: "INPUT_INVALID" })
    given(on.launch)
      .when({ ...on.send("t1"), prompt: "the text itself" })
      .then({ rejected: "INPUT_INVALID" })
    given(on.launch)
      .when({ ...on.pause, text: "of a person" })
      .then({ rejected: "INPUT_INVALID" })
    onTurn().when({ type: "interrupt", why: "x" }).then({ rejected: "INPUT_INVALID" })
    for (const odd of [null, undefined, "pause", 7, []])
      expect(step(session, null, odd)).toMatchObject({
        rejected: true,
        code: "INPUT_UNKNOWN",
        state: "absent",
      })
  })

  test("I12 whose turn has too long a name for the names of its runs is rejected at once", () => {
    given(on.launch)
      .when(on.send("t".repeat(120)))
      .then({ state: "busy" })
    given(on.launch)
      .when(on.send("t".repeat(121)))
      .then({ rejected: "INPUT_INVALID" })
  })

  test("that is rejected leaves the snapshot as it was, and its id can be used again", () => {
    const before = replay(session, [on.launch]).at(-1)?.snapshot
    const text = JSON.stringify(before)
    expect(step(session, before ?? null, on.resume)).toMatchObject({ rejected: true, code: "NOT_ACCEPTED" })
    expect(JSON.stringify(before)).toBe(text)
  })

  test("that is an observation is never rejected: without a row it is recorded and changes nothing", () => {
    for (const late of [on.settled("t9", "failed"), on.identified("t9", "c"), { type: "timer", id: "x" }])
      given(on.launch).when(late).then({ ignored: true, state: "ready", effects: [], timers: [], sends: [] })
  })

  test("in a log that was rejected is a contradiction", () => {
    expect(() => replay(session, [on.resume])).toThrow(/replay of session: resume was SESSION_UNKNOWN/)
  })
})

/** A machine that keeps what it is told, and sends as often as it is asked to. */
const keeper = defineMachine({
  name: "keeper",
  version: 1,
  inputs: {
    keep: command(z.strictObject({ text: z.string() })),
    kept: observation(z.strictObject({ text: z.string() })),
    burst: command(z.strictObject({ extra: z.boolean() })),
    timer: timerInput,
  },
  effects: {},
  context: z.strictObject({ texts: z.array(z.string()) }),
  machine: createMachine({
    context: { texts: [] },
    initial: "open",
    states: {
      open: {
        on: {
          keep: { actions: assign({ texts: ({ context, event }) => [...context.texts, event.text] }) },
          kept: { actions: assign({ texts: ({ context, event }) => [...context.texts, event.text] }) },
          burst: [
            { guard: ({ event }) => event.extra === true, actions: bursting(limits.sends + 1) },
            { actions: bursting(limits.sends) },
          ],
        },
      },
    },
  }),
})
function bursting(count: number) {
  const send = { type: "send", params: { stream: "keeper:k", input: { type: "kept", text: "" } } }
  return Array.from({ length: count }, () => send)
}
const text = (chars: number): AnyInput => ({ type: "keep", text: "x".repeat(chars) })

describe("a limit", () => {
  const giveKeeper = givenOf(keeper)
  const half = text(5_000)

  test("of an input: EVENT_TOO_LARGE", () => {
    giveKeeper().when(text(8_200)).then({ rejected: "EVENT_TOO_LARGE" })
    giveKeeper().when(text(6_000)).then({ state: "open" })
  })

  test("of a context: CONTEXT_TOO_LARGE", () => {
    giveKeeper(half, half).when(half).then({ rejected: "CONTEXT_TOO_LARGE" })
    giveKeeper(half, half).when(text(4_000)).then({ state: "open" })
  })

  test("of sends: TOO_MANY_SENDS", () => {
    giveKeeper().when({ type: "burst", extra: true }).then({ rejected: "TOO_MANY_SENDS" })
    giveKeeper().when({ type: "burst", extra: false }).then({ state: "open" })
  })

  test("leaves room: no command can fill a context so that an observation no longer fits", () => {
    const full = [half, half, text(4_000)]
    giveKeeper(...full)
      .when(text(500))
      .then({ rejected: "CONTEXT_TOO_LARGE" })
    giveKeeper(...full)
      .when({ type: "kept", text: "x".repeat(1_500) })
      .then({ state: "open" })
  })

  test("leaves room in a session too, whose queue is as long as it can be and which hears of a conversation", () => {
    const long = (number: number) => on.send(`t${String(number).padStart(119, "0")}`)
    const crowd: AnyInput[] = [on.launch]
    for (let number = 0; number < 101; number += 1) {
      const result = step(session, replay(session, crowd).at(-1)?.snapshot ?? null, long(number))
      if (result.rejected) break
      crowd.push(long(number))
    }
    given(...crowd)
      .when(long(900))
      .then({ rejected: "CONTEXT_TOO_LARGE" })
    const first = crowd[1]?.turn
    given(...crowd)
      .when(on.identified(String(first), "\u0001".repeat(256)))
      .then({ state: "busy" })
  })
})

describe("a state", () => {
  const inputs = { go: command(z.strictObject({})), timer: timerInput }
  const context = z.strictObject({})
  const nested = defineMachine({
    name: "nested",
    version: 1,
    inputs,
    effects: {},
    context,
    machine: createMachine({
      context: {},
      initial: "outer",
      states: {
        outer: {
          initial: "first",
          states: { first: { on: { go: "second" } }, second: { on: { go: "#end" } } },
        },
        end: { id: "end", type: "final" },
      },
    }),
  })
  const parallel = defineMachine({
    name: "parallel",
    version: 1,
    inputs,
    effects: {},
    context,
    machine: createMachine({
      context: {},
      type: "parallel",
      states: {
        left: { initial: "a", states: { a: { on: { go: "b" } }, b: {} } },
        right: { initial: "c", states: { c: { on: { go: "d" } }, d: { on: { go: "c" } } } },
      },
    }),
  })
  const go = { type: "go" }

  test("that is nested or parallel comes back as it was", () => {
    expect(initialSnapshot(nested).value).toBe('{"outer":"first"}')
    expect(replay(nested, [go, go]).map(each => each.to)).toEqual(['{"outer":"second"}', "end"])
    expect(replay(nested, [go, go]).at(-1)?.snapshot.status).toBe("done")
    expect(replay(parallel, [go, go]).map(each => each.to)).toEqual([
      '{"left":"b","right":"d"}',
      '{"left":"b","right":"c"}',
    ])
  })

  test("that is final takes nothing more", () => {
    expect(step(nested, replay(nested, [go, go]).at(-1)?.snapshot ?? null, go)).toMatchObject({
      code: "NOT_ACCEPTED",
    })
  })

  test("that is unknown to the machine is an error, not another state", () => {
    expect(() => step(nested, { value: "gone", context: {}, status: "active" }, go)).toThrow()
  })

  test("whose context breaks its schema is an error, before anything is appended", () => {
    const broken = { value: "ready", context: { about: "text" }, status: "active" } as const
    expect(() => step(session, broken, on.send("t1"))).toThrow()
  })
})
