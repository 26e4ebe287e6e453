/** What a machine may not be made of: refused when it is defined, and again if a step should list it. */
import { describe, expect, test } from "vitest"
import {
  type AnyStateMachine,
  assign,
  createMachine,
  emit,
  enqueueActions,
  fromPromise,
  log,
  raise,
  sendTo,
  spawnChild,
} from "xstate"
import { z } from "zod"
import { command, defineMachine, type MachineDefinition, step, timerInput } from "../../machines/index.ts"

type Config = Parameters<typeof createMachine>[0]
const logic = fromPromise(() => Promise.resolve())

const parts = {
  name: "odd",
  version: 1,
  inputs: { go: command(z.strictObject({})), timer: timerInput },
  effects: {},
  context: z.strictObject({}),
}
const define = (machine: AnyStateMachine) => defineMachine({ ...parts, machine })
/** Two states and a way between them, with something added. */
const withRow = (row: object, more: object = {}): Config => ({
  context: {},
  initial: "here",
  states: { here: { on: { go: { target: "there", ...row } } }, there: {}, ...more },
})

const forbidden: Readonly<Record<string, Config>> = {
  invoke: withRow({}, { there: { invoke: { src: logic } } }),
  after: withRow({}, { there: { after: { 1000: "here" } } }),
  "delayed raise": withRow({ actions: raise({ type: "go" }, { delay: 10 }) }),
  spawnChild: withRow({ actions: spawnChild(logic) }),
  sendTo: withRow({ actions: sendTo("someone", { type: "go" }) }),
  emit: withRow({ actions: emit({ type: "news" }) }),
  log: withRow({ actions: log("text") }),
  enqueueActions: withRow({ actions: enqueueActions(() => {}) }),
  history: withRow({}, { there: { initial: "in", states: { in: {}, back: { type: "history" } } } }),
  inline: withRow({ actions: () => {} }),
}
const messages: Readonly<Record<string, RegExp>> = {
  history: /history is not kept/,
  inline: /inline function/,
  "delayed raise": /delayed raise is not allowed/,
}

describe("a machine is refused when it is defined", () => {
  for (const [feature, config] of Object.entries(forbidden))
    test(`with ${feature}`, () => {
      const message = messages[feature] ?? new RegExp(`^machine odd, .+: ${feature} is not allowed`)
      expect(() => define(createMachine(config))).toThrow(TypeError)
      expect(() => define(createMachine(config))).toThrow(message)
    })

  test("with a forbidden action behind a name", () => {
    const machine = createMachine(withRow({ actions: "tell" }), { actions: { tell: emit({ type: "news" }) } })
    expect(() => define(machine)).toThrow(/emit is not allowed/)
  })

  test("with an effect that is not in its closed list", () => {
    expect(() => define(createMachine(withRow({ actions: "shout" })))).toThrow(
      /"shout" is not in its effects/,
    )
  })

  test("with an effect that is named like a kernel request, or without a timer input", () => {
    const machine = createMachine(withRow({}))
    const send = { class: "once" as const, schema: z.strictObject({}) }
    expect(() => defineMachine({ ...parts, machine, effects: { send } })).toThrow(/is a kernel request/)
    expect(() => defineMachine({ ...parts, machine, inputs: { go: parts.inputs.go } })).toThrow(/timerInput/)
  })

  test("with a request before its first input", () => {
    const config = {
      context: {},
      initial: "here",
      states: { here: { entry: { type: "cancel", params: { id: "x" } } } },
    }
    expect(() => define(createMachine(config))).toThrow(/before the first input/)
  })

  test("with `always` or `raise` and no bound on a cycle", () => {
    expect(() =>
      define(createMachine(withRow({}, { there: { always: { target: "here", guard: () => false } } }))),
    ).toThrow(/maxIterations/)
    expect(() => define(createMachine(withRow({ actions: raise({ type: "go" }) })))).toThrow(/maxIterations/)
  })

  test("and is not, with all that is allowed", () => {
    const allowed = {
      actions: [assign({}), raise({ type: "timer" }), { type: "cancel", params: { id: "x" } }],
    }
    const machine = createMachine({ ...withRow(allowed), options: { maxIterations: 4 } })
    const result = step(define(machine), null, { type: "go" })
    expect(result).toMatchObject({ to: "there", effects: [], sends: [], timers: [{ do: "cancel", id: "x" }] })
  })
})

describe("a step refuses what a definition got past the look", () => {
  const smuggled = (config: Config): MachineDefinition => ({
    ...parts,
    machine: createMachine(config),
    refuse: () => null,
  })
  const { history: _, inline: __, sendTo: ___, enqueueActions: ____, ...listed } = forbidden

  for (const [feature, config] of Object.entries(listed))
    test(`with ${feature}`, () => {
      expect(() => step(smuggled(config), null, { type: "go" })).toThrow(/nothing would run it/)
    })

  test("with an action that is no effect of it", () => {
    expect(() => step(smuggled(withRow({ actions: "shout" })), null, { type: "go" })).toThrow(TypeError)
  })

  test("with a cycle, which ends at maxIterations", () => {
    const config = {
      ...withRow({}, { there: { always: "back" }, back: { always: "there" } }),
      options: { maxIterations: 8 },
    }
    expect(() => step(define(createMachine(config)), null, { type: "go" })).toThrow(/more than 8 microsteps/)
  })
})
