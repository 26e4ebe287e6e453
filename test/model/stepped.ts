/**
 * The real machines, stepped through the real kernel, each different step once: equal snapshots are one object,
 * so the explorer compares them by reference. No rule of any machine is repeated here.
 */
import {
  type Input,
  type MachineDefinition,
  type Rejected,
  type Snapshot,
  type Step,
  step,
} from "../../machines/index.ts"

const steps = new WeakMap<MachineDefinition, WeakMap<Snapshot, Map<string, Step | Rejected>>>()
const snapshots = new Map<string, Snapshot>()
const unborn: Snapshot = { value: "unborn", context: {}, status: "active" }

export function stepped(
  definition: MachineDefinition,
  before: Snapshot | null,
  input: Input,
): Step | Rejected {
  const ofMachine = steps.get(definition) ?? new WeakMap<Snapshot, Map<string, Step | Rejected>>()
  steps.set(definition, ofMachine)
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
