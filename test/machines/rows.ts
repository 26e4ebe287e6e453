/**
 * The rows of a machine's table, counted from the machine's own definition, and which of them one input took.
 * A row is one transition object: every guarded alternative, every `always` alternative, every self-transition;
 * `initial` is not a row. Nothing here steps a machine for any other purpose than to see its rows.
 */
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  initialTransition,
  type StateValue,
  transition,
} from "xstate"
import { nodesOf } from "../../machines/allowed.ts"
import type { Snapshot } from "../../machines/index.ts"
import type { AnyInput } from "./given.ts"

export interface Table {
  readonly states: readonly string[]
  readonly rows: readonly string[]
  /** The states that a snapshot is in, a nested one with all those around it. */
  readonly statesIn: (snapshot: Snapshot | null) => readonly string[]
  /** The rows that this input takes, in order. */
  readonly taken: (snapshot: Snapshot | null, input: AnyInput) => readonly string[]
}

/** Made from a copy of the machine in which every row also says its own name, as one more action. */
export function tableOf(machine: AnyStateMachine): Table {
  const copy: AnyStateMachine = machine.provide({})
  const nodes = nodesOf(copy.root)
  const rows = nodes.flatMap(node => rowsOf(node).map(row => ({ row, name: nameOf(node, row) })))
  for (const { row, name } of rows)
    Object.assign(row, { actions: [...row.actions, { type: marker, params: { name } }] })
  const at = (snapshot: Snapshot | null): AnyMachineSnapshot =>
    snapshot === null
      ? initialTransition(copy)[0]
      : copy.resolveState({ ...snapshot, value: stateValueOf(snapshot.value) })
  return {
    states: nodes.filter(node => node !== copy.root).map(pathOf),
    rows: rows.map(({ name }) => name),
    statesIn: snapshot => namesIn(at(snapshot).value),
    taken(snapshot, input) {
      const actions: readonly { type: string; params?: unknown }[] = transition(copy, at(snapshot), input)[1]
      return actions.filter(action => action.type === marker).map(action => nameIn(action.params))
    },
  }
}
const marker = "test.row"

const rowsOf = (node: AnyStateNode): AnyTransitionDefinition[] => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
]
const pathOf = (node: AnyStateNode): string => node.path.join(".")

/** `busy · turnSettled [1] -> deciding` */
function nameOf(node: AnyStateNode, row: AnyTransitionDefinition): string {
  const alternatives = node.transitions.get(row.eventType) ?? node.always ?? []
  const number = alternatives.length > 1 ? ` [${alternatives.indexOf(row)}]` : ""
  const target = row.target?.map(pathOf).join(" + ") ?? "(stays)"
  return `${pathOf(node) || "root"} · ${row.eventType || "always"}${number} -> ${target}`
}

const nameIn = (params: unknown): string =>
  typeof params === "object" && params !== null && "name" in params ? String(params.name) : "?"

/** A nested state's value is the JSON of XState's own. */
const stateValueOf = (name: string): StateValue =>
  // The kernel wrote it from a state value, so that is what it is.
  name.startsWith("{") ? (JSON.parse(name) as StateValue) : name

function namesIn(value: StateValue, prefix = ""): string[] {
  if (typeof value === "string") return [prefix + value]
  return Object.entries(value).flatMap(([name, inner]) => [
    prefix + name,
    ...(inner === undefined ? [] : namesIn(inner, `${prefix}${name}.`)),
  ])
}
