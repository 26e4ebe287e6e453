/** What a sequence is made of: steps as data, so that a failing one can be shrunk, printed, and played again. */
import { z } from "zod"

/** What the agent does with one prompt; each is told in `behaviours.ts`. */
export const behaviour = z.enum([
  "quick",
  "slow",
  "tool",
  "lingers",
  "softError",
  "escapes",
  "failsLate",
  "silent",
  "flaky",
  "deaf",
])
export type Behaviour = z.infer<typeof behaviour>

/** The first or the second session; it is launched with its first prompt. */
const session = z.union([z.literal(0), z.literal(1)])
export type SessionNumber = z.infer<typeof session>

/** Something that can be seen of the turn that runs; `delay` is so many milliseconds instead. */
const moment = z.enum(["now", "spawned", "delta", "result", "settled", "delay"])
export type Moment = z.infer<typeof moment>

/** The host kills itself when it commits its nth event, inside the transaction or right after it. */
const death = z.strictObject({ when: z.enum(["before", "after"]), nth: z.int().positive() })

export const step = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("send"), session, plays: behaviour, named: z.boolean() }),
  /** The nth named prompt once more, under its id; with another text if `other`. */
  z.strictObject({ do: z.literal("again"), nth: z.int().nonnegative(), other: z.boolean() }),
  /** After so many ms, a random moment; without `wait` the sequence goes on while the turn is being ended. */
  z.strictObject({
    do: z.literal("interrupt"),
    session,
    which: z.enum(["current", "waiting"]),
    afterMs: z.int().nonnegative(),
    wait: z.boolean(),
  }),
  /** SIGKILL to the host; with `all`, to everything that runs, as when the power goes. */
  z.strictObject({ do: z.literal("kill"), at: moment, nth: z.int().nonnegative(), all: z.boolean() }),
  z.strictObject({ do: z.literal("open"), dies: death.nullable() }),
  /** Waits until nothing runs that ends by itself. */
  z.strictObject({ do: z.literal("rest") }),
  z.strictObject({ do: z.enum(["erase", "pause", "resume", "archive", "dispose"]), session }),
  z.strictObject({ do: z.literal("close"), leave: z.boolean() }),
])
export type Step = z.infer<typeof step>
export type StepOf<K extends Step["do"]> = Extract<Step, { readonly do: K }>
export const script = z.array(step)
export type Script = z.infer<typeof script>

/** As a person reads it, and one line to play it again. */
export function readable(steps: Script): string {
  const lines = steps.map(({ do: what, ...more }, index) => {
    const words = Object.entries(more).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    return `  ${index + 1}. ${[what, ...words].join(" ")}`
  })
  return [...lines, "", `HOLDFAST_SEQUENCE='${JSON.stringify(steps)}'`].join("\n")
}
