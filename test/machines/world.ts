/**
 * The machines together in memory: one snapshot per stream, an input and all the sends that follow from it
 * breadth first, as one transaction. There are no effects and no clock; what was asked for is remembered.
 */
import {
  definitions,
  idOf,
  limits,
  type MachineDefinition,
  machineOf,
  type Rejected,
  type Snapshot,
  type Step,
  step,
} from "../../machines/index.ts"
import type { AnyInput } from "./given.ts"

export interface Told {
  readonly stream: string
  readonly step: Step
}

export class World {
  readonly snapshots = new Map<string, Snapshot>()
  readonly told: Told[] = []
  /** Effects that were asked for and have not ended: `[stream, kind, params]`. */
  readonly asked: { readonly stream: string; readonly kind: string; readonly params: object }[] = []
  /** Timers that are armed, by stream and id. */
  readonly timers = new Map<string, { readonly stream: string; readonly id: string }>()
  private readonly machines: Readonly<Record<string, MachineDefinition>>

  constructor(machines: Readonly<Record<string, MachineDefinition>> = definitions) {
    this.machines = machines
  }

  state(stream: string): string {
    return this.snapshots.get(stream)?.value ?? "absent"
  }
  ids(machine: string): string[] {
    return [...this.snapshots.keys()].filter(stream => machineOf(stream) === machine).map(idOf)
  }
  inputsOf(stream: string): AnyInput[] {
    return this.told.filter(told => told.stream === stream).map(told => told.step.input)
  }

  /** The code of a rejection, in which case nothing changed; else null. A rejected send is a defect. */
  tell(stream: string, input: AnyInput): string | null {
    const first = this.step(stream, input)
    if (first.rejected) return first.code
    const queue = [...first.sends]
    for (let count = 1; queue.length > 0; count += 1) {
      if (count > limits.sends) throw new Error(`more than ${limits.sends} sends after ${input.type}`)
      const send = queue.shift()
      if (send === undefined) break
      const next = this.step(send.stream, { ...send.input })
      if (next.rejected) throw new Error(`${send.stream} rejected ${send.input.type}: ${next.code}`)
      queue.push(...next.sends)
    }
    return null
  }

  private step(stream: string, input: AnyInput): Step | Rejected {
    const definition = this.machines[machineOf(stream)]
    if (definition === undefined) throw new Error(`no machine for ${stream}`)
    const result = step(definition, this.snapshots.get(stream) ?? null, input)
    if (result.rejected) return result
    this.snapshots.set(stream, result.snapshot)
    this.told.push({ stream, step: result })
    for (const { kind, params } of result.effects) this.asked.push({ stream, kind, params })
    for (const timer of result.timers) {
      if (timer.do === "schedule") this.timers.set(`${stream} ${timer.id}`, { stream, id: timer.id })
      else this.timers.delete(`${stream} ${timer.id}`)
    }
    return result
  }
}
