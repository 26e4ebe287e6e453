/** Which sequences are tried: every step at random, those that start and end hosts more often than the others. */
import fc from "fast-check"
import { behaviour, type Script, type Step } from "./script.ts"

/** Most of what can go wrong needs two prompts in one session. */
const mostlyFirst = fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const)

const send: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("send" as const),
  session: mostlyFirst,
  plays: fc.constantFrom(...behaviour.options),
  named: fc.boolean(),
})
const again: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("again" as const),
  nth: fc.nat(3),
  other: fc.boolean(),
})
const interrupt: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("interrupt" as const),
  session: mostlyFirst,
  which: fc.constantFrom("current" as const, "current" as const, "waiting" as const),
  afterMs: fc.oneof(fc.constant(0), fc.nat(100)),
  wait: fc.boolean(),
})
const kill: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("kill" as const),
    at: fc.constantFrom("now", "spawned", "result", "settled" as const),
    nth: fc.constant(0),
    all: often(false),
  }),
  fc.record({
    do: fc.constant("kill" as const),
    at: fc.constantFrom("delta" as const, "delta" as const, "delay" as const),
    nth: fc.nat(60),
    all: often(false),
  }),
)
const death = fc.record({
  when: fc.constantFrom("before" as const, "after" as const),
  nth: fc.integer({ min: 1, max: 40 }),
})
const open: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("open" as const),
  dies: fc.oneof(fc.constant(null), death),
})
const rest: fc.Arbitrary<Step> = fc.constant({ do: "rest" })
const about: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom("erase", "erase", "pause", "pause", "resume", "archive", "dispose" as const),
  session: mostlyFirst,
})
const close: fc.Arbitrary<Step> = fc.record({ do: fc.constant("close" as const), leave: fc.boolean() })

/** A host that is opened first may already be one that dies. */
export const scripts: fc.Arbitrary<Script> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: send },
    { weight: 2, arbitrary: again },
    { weight: 4, arbitrary: interrupt },
    { weight: 4, arbitrary: kill },
    { weight: 3, arbitrary: open },
    { weight: 2, arbitrary: rest },
    { weight: 4, arbitrary: about },
    { weight: 1, arbitrary: close },
  ),
  { minLength: 3, maxLength: 12, size: "max" },
)

function often(value: boolean): fc.Arbitrary<boolean> {
  return fc.constantFrom(value, value, value, !value)
}
