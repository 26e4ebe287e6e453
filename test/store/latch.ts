/**
 * A small session machine in two versions, made for the store's tests: the published ones may still change, and
 * a golden log must not. It has one of everything that a version bump has to carry over.
 */
import { assign, setup } from "xstate"
import { z } from "zod"
import {
  command,
  defineMachine,
  effect,
  type InputOf,
  type MachineDefinition,
  observation,
  requests,
  type Snapshot,
  timerInput,
} from "../../machines/kernel.ts"

const shown = {
  about: z.strictObject({ agent: z.string(), cwd: z.string(), model: z.string() }).nullable(),
  conversation: z.string().nullable(),
  current: z.string().nullable(),
  queue: z.array(z.string()),
}
const inputs = {
  launch: command(z.strictObject({ agent: z.string() })),
  poke: command(z.strictObject({})),
  rang: observation(z.strictObject({})),
  timer: timerInput,
}
const effects = { ring: effect("repeatable", z.strictObject({ bell: z.int() })) }
type Inputs = InputOf<typeof inputs>
interface Context extends Record<string, unknown> {
  readonly about: { readonly agent: string; readonly cwd: string; readonly model: string } | null
  readonly pokes: number
}

function latch(
  version: number,
  extra: Readonly<Record<string, unknown>>,
  schema: z.ZodObject,
): MachineDefinition {
  const machine = setup({
    types: {} as { context: Context; events: Inputs },
    actions: requests(effects),
  }).createMachine({
    id: "session",
    context: { about: null, conversation: null, current: null, queue: [], pokes: 0, ...extra },
    initial: "absent",
    states: {
      absent: {
        on: {
          launch: {
            target: "ready",
            actions: assign({
              about: ({ event }) => ({ agent: event.agent, cwd: "/srv", model: "auto" }),
            }),
          },
        },
      },
      ready: {
        on: {
          poke: {
            actions: [
              { type: "ring", params: ({ context }) => ({ bell: context.pokes }) },
              { type: "schedule", params: { id: "nap", afterMs: 500, clock: "wall" } },
              assign({ pokes: ({ context }) => context.pokes + 1 }),
            ],
          },
          timer: { target: "asleep" },
        },
      },
      asleep: { on: { poke: { target: "ready" } } },
    },
  })
  return defineMachine({ name: "session", version, inputs, effects, context: schema, machine })
}

export const latch1 = latch(1, {}, z.strictObject({ ...shown, pokes: z.int() }))
export const latch2 = latch(
  2,
  { since: "2" },
  z.strictObject({ ...shown, pokes: z.int(), since: z.string() }),
)

export const lift = (snapshot: Snapshot, from: number): Snapshot => ({
  ...snapshot,
  context: { ...snapshot.context, since: String(from) },
})
