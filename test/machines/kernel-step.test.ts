/** The kernel's own rules: what it rejects before anything is appended, and what it keeps of a state. */
import { describe, expect, test } from "vitest"
import { createMachine } from "xstate"
import { z } from "zod"
import {
  command,
  defineMachine,
  initialSnapshot,
  replay,
  session,
  step,
  timerInput,
  turn,
} from "../../machines/index.ts"
import { givenOf } from "./given.ts"
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
