/**
 * The real machines, stepped through the real kernel, each different step once: equal snapshots are one object,
 * so the explorer compares them by reference. No rule of any machine is repeated here.
 */
import {
  folder,
  type Input,
  type MachineDefinition,
  type Rejected,
  run,
  type Snapshot,
  type Step,
  session,
  step,
  turn,
} from "../../machines/index.ts"

export const machines: Readonly<Record<string, MachineDefinition>> = { session, turn, run, folder }

const steps = new Map<string, WeakMap<Snapshot, Map<string, Step | Rejected>>>()
const snapshots = new Map<string, Snapshot>()
const unborn: Snapshot = { value: "unborn", context: {}, status: "active" }

export function stepped(machine: string, before: Snapshot | null, input: Input): Step | Rejected {
  const definition = machines[machine]
  if (definition === undefined) throw new TypeError(`there is no machine "${machine}"`)
  const ofMachine = steps.get(machine) ?? new WeakMap<Snapshot, Map<string, Step | Rejected>>()
  steps.set(machine, ofMachine)
  const known = ofMachine.get(before ?? unborn) ?? new Map<string, Step | Rejected>()
  ofMachine.set(before ?? unborn, known)
  const key = JSON.stringify(input)
  const done = known.get(key)
  if (done !== undefined) return done
  const made = step(definition, before, input)
  const result = made.rejected ? made : { ...made, snapshot: one(made.snapshot) }
  known.set(key, result)
  return result
}

function one(snapshot: Snapshot): Snapshot {
  const text = JSON.stringify(snapshot)
  const known = snapshots.get(text)
  if (known !== undefined) return known
  snapshots.set(text, snapshot)
  return snapshot
}
