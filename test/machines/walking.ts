/**
 * One path through the kernel, as a list of what each input met and what it gave. A rejected input leaves the
 * snapshot as it was. Nothing here judges; that is for the tests.
 */
import {
  type MachineDefinition,
  type Rejected,
  type Snapshot,
  type Step,
  step,
} from "../../machines/index.ts"
import type { AnyInput } from "./given.ts"
import type { Path } from "./paths.ts"
import { tableOf } from "./rows.ts"

export interface Met {
  readonly before: Snapshot | null
  readonly input: AnyInput
  readonly result: Step | Rejected
}

/** `carry` is what snapshots and inputs go through on their way, such as a round trip through JSON. */
export function walked(
  definition: MachineDefinition,
  path: Path,
  carry: <T>(value: T) => T = value => value,
): Met[] {
  let before: Snapshot | null = null
  return path.map(input => {
    const result: Step | Rejected = step(definition, carry(before), carry(input))
    const met = { before, input, result }
    if (!result.rejected) before = result.snapshot
    return met
  })
}

export interface Coverage {
  readonly missing: readonly string[]
  /** `session: 7/7 states, 34/34 transitions (100 %), 1,234 paths` */
  readonly line: string
}

/** Which states and rows of the machine's own definition the paths went through. */
export function coverageOf(definition: MachineDefinition, paths: readonly (readonly Met[])[]): Coverage {
  const table = tableOf(definition.machine)
  const states = new Set(table.statesIn(null))
  const rows = new Set<string>()
  const looked = new Set<string>()
  for (const { before, input, result } of paths.flat()) {
    const place = JSON.stringify([before, input])
    if (result.rejected || looked.has(place)) continue
    looked.add(place)
    for (const state of table.statesIn(result.snapshot)) states.add(state)
    for (const row of table.taken(before, input)) rows.add(row)
  }
  // A state that only `always` leaves is never rested in; it was reached when one of its rows was taken.
  for (const row of rows) states.add(row.slice(0, row.indexOf(" · ")))
  const missing = [...table.states.filter(is => !states.has(is)), ...table.rows.filter(is => !rows.has(is))]
  const all = table.states.length + table.rows.length
  const percent = Math.floor((100 * (all - missing.length)) / all)
  const had = (names: readonly string[]) =>
    `${names.filter(is => !missing.includes(is)).length}/${names.length}`
  const line = `${definition.name}: ${had(table.states)} states, ${had(table.rows)} transitions (${percent} %), ${paths.length} paths`
  return { missing, line }
}
