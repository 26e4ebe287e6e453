/**
 * A machine that has what the machines of Holdfast do not: nested and parallel states, rows of the root, guards made of
 * others and guards without a name, inputs with signs that mean something to Mermaid. It is only drawn.
 */
import { and, not, or, setup } from "xstate"
import { z } from "zod"
import { defineMachine, effect, observation, requests, timerInput } from "../../machines/index.ts"

const nothing = observation(z.strictObject({}))
const inputs = { begin: nothing, "a:b;c#d": nothing, stop: nothing, timer: timerInput }
const effects = { writeFile: effect("repeatable", z.strictObject({})) }

const machine = setup({
  types: {} as { events: { type: keyof typeof inputs } },
  actions: requests(effects),
  guards: { isOpen: () => true, hasRoom: () => true },
}).createMachine({
  id: "sample",
  initial: "resting",
  options: { maxIterations: 8 },
  on: { stop: { target: ".over" } },
  states: {
    resting: { on: { begin: { target: "working.first", actions: { type: "writeFile", params: {} } } } },
    working: {
      initial: "first",
      entry: { type: "schedule", params: { id: "patience", afterMs: 1, clock: "awake" } },
      on: {
        "a:b;c#d": {
          guard: and(["isOpen", not("hasRoom")]),
          actions: { type: "cancel", params: { id: "patience" } },
        },
      },
      states: {
        first: {
          on: {
            begin: [
              { guard: () => false, target: "second" },
              { guard: () => false, target: "second" },
              { guard: or(["isOpen", "hasRoom"]), target: "#sample.both" },
            ],
          },
        },
        second: { type: "final" },
      },
      onDone: { target: "both" },
    },
    both: {
      type: "parallel",
      states: {
        left: { initial: "on", states: { on: { on: { begin: { target: "off" } } }, off: {} } },
        right: { initial: "on", states: { on: {} } },
      },
    },
    over: { type: "final" },
  },
})

export const sample = defineMachine({
  name: "sample",
  version: 1,
  inputs,
  effects,
  context: z.strictObject({}),
  machine,
})
