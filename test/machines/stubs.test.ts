/** The stubs do what the determinism test relies on: they catch a machine that looks at the world, and go away. */
import { expect, test } from "vitest"
import { assign, createMachine } from "xstate"
import { z } from "zod"
import { command, defineMachine, step, timerInput } from "../../machines/index.ts"
import { withoutWorld } from "./stubs.ts"

const looks: Readonly<Record<string, () => unknown>> = {
  Date: () => new Date().toISOString(),
  "Date.now": () => Date.now(),
  "Math.random": () => Math.random(),
  "crypto.randomUUID": () => crypto.randomUUID(),
  "crypto.getRandomValues": () => crypto.getRandomValues(new Uint8Array(1))[0],
  performance: () => performance.now(),
  setTimeout: () => setTimeout(() => {}, 0),
  setInterval: () => setInterval(() => {}, 1_000).unref(),
  queueMicrotask: () => queueMicrotask(() => {}),
  "process.nextTick": () => process.nextTick(() => {}),
}

for (const [name, look] of Object.entries(looks))
  test(`I2 a machine that uses ${name} is caught`, () => {
    const curious = defineMachine({
      name: "curious",
      version: 1,
      inputs: { look: command(z.strictObject({})), timer: timerInput },
      effects: {},
      context: z.strictObject({ seen: z.unknown() }),
      machine: createMachine({
        context: { seen: null },
        on: { look: { actions: assign({ seen: () => look() }) } },
        initial: "here",
        states: { here: {} },
      }),
    })
    expect(() => withoutWorld(() => step(curious, null, { type: "look" }))).toThrow(/a machine used/)
    expect(() => look()).not.toThrow()
  })
