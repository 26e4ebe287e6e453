/** The limits: each a typed rejection before anything is appended, and none of them ever meets an observation. */
import { describe, test } from "vitest"
import { assign, createMachine } from "xstate"
import { z } from "zod"
import {
  command,
  defineMachine,
  limits,
  observation,
  replay,
  session,
  step,
  timerInput,
} from "../../machines/index.ts"
import { type AnyInput, givenOf } from "./given.ts"
import { session as on } from "./samples/session.ts"

const given = givenOf(session)

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
