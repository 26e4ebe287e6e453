/**
 * The one grammar of machine tests: given these inputs, when this one comes, then that is asked for. It only
 * drives the kernel; it must not know any machine, and must not look into XState.
 */
import { expect } from "vitest"
import { type MachineDefinition, type Snapshot, type Step, step } from "../../machines/index.ts"

export type AnyInput = { readonly type: string } & Readonly<Record<string, unknown>>

/** What is named is compared whole; what is left out is not looked at. */
export interface Then {
  readonly state?: string
  readonly effects?: readonly (readonly [kind: string, params?: object])[]
  /** `schedule idle 300000 awake` or `cancel idle`. */
  readonly timers?: readonly string[]
  readonly sends?: readonly { readonly [field: string]: unknown }[]
  readonly context?: object
  readonly rejected?: string
  readonly ignored?: boolean
}

export type Given = ReturnType<typeof givenOf>

/** `given` for one machine, so that a test and its planted fault are the same sentences. */
export const givenOf =
  (definition: MachineDefinition) =>
  (...past: readonly AnyInput[]) => {
    const before = past.reduce<Snapshot | null>((snapshot, input) => {
      const result = step(definition, snapshot, input)
      expect(result.rejected ? result.code : null, `given ${input.type}`).toBeNull()
      return result.rejected ? snapshot : result.snapshot
    }, null)
    return { when: (input: AnyInput) => after(step(definition, before, input)) }
  }

function after(result: ReturnType<typeof step>) {
  return {
    // biome-ignore lint/suspicious/noThenProperty: the grammar's own word; nothing here is ever awaited
    then(expected: Then): void {
      if (result.rejected) {
        expect({ rejected: result.code }).toEqual({ rejected: expected.rejected ?? "not rejected" })
        return
      }
      expect(expected.rejected ?? "accepted", "rejected").toBe("accepted")
      expect(result.ignored, "ignored").toBe(expected.ignored ?? false)
      if (expected.state !== undefined) expect(result.to).toBe(expected.state)
      if (expected.context !== undefined) expect(result.snapshot.context).toMatchObject(expected.context)
      if (expected.effects !== undefined) expectEffects(result, expected.effects)
      if (expected.timers !== undefined) expect(result.timers.map(spoken)).toEqual(expected.timers)
      if (expected.sends !== undefined)
        expect(result.sends.map(send => ({ to: send.stream, ...send.input }))).toMatchObject(expected.sends)
    },
  }
}

function expectEffects({ effects }: Step, expected: NonNullable<Then["effects"]>): void {
  expect(effects.map(effect => effect.kind)).toEqual(expected.map(([kind]) => kind))
  for (const [at, [, params]] of expected.entries())
    if (params !== undefined) expect(effects[at]?.params).toMatchObject(params)
}

const spoken = (timer: Step["timers"][number]): string =>
  timer.do === "cancel" ? `cancel ${timer.id}` : `schedule ${timer.id} ${timer.afterMs} ${timer.clock}`
