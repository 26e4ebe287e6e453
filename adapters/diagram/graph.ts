/**
 * A machine as states and transitions, in the order of its table: what every way of drawing it starts from. It is
 * read from the definition and never steps it.
 */
import type { AnyStateNode, AnyTransitionDefinition } from "xstate"
import { nodesOf } from "../../machines/allowed.ts"
import type { MachineDefinition } from "../../machines/index.ts"
import { guardWords, requestWords } from "./labels.ts"

export interface State {
  /** `state_<machine>_<path>`: unique, the same in every drawing, and an identifier in Mermaid, SVG and CSS. */
  readonly id: string
  /** The root, when it has transitions of its own, is called `any state`. */
  readonly name: string
  /** Id of the state around it; null at the top. */
  readonly parent: string | null
  readonly kind: "atomic" | "compound" | "parallel" | "final"
  /** Where the machine, or the state around it, begins. */
  readonly initial: boolean
  /** It is left within the event that entered it, so that nothing ever stands in it. */
  readonly passing: boolean
  readonly entry: readonly string[]
  readonly exit: readonly string[]
}

export interface Transition {
  /** `transition_<machine>_<path>_<input>`, with the guard's name where there is one. */
  readonly id: string
  readonly from: string
  /** Null: the state stays as it is. */
  readonly to: string | null
  /** Null: taken at once, without an input. */
  readonly input: string | null
  readonly guard: string | null
  /** Input and guard as a label: `prepared [otherwise]`. */
  readonly when: string
  /** Effects, timers and sends, in words. */
  readonly requests: readonly string[]
}

export interface Graph {
  readonly machine: string
  readonly version: number
  readonly states: readonly State[]
  readonly transitions: readonly Transition[]
}

export function graphOf(definition: MachineDefinition): Graph {
  const { name: machine, version } = definition
  const { root } = definition.machine
  const nodes = nodesOf(root).filter(node => node !== root || tableOf(node).length > 0)
  return {
    machine,
    version,
    states: nodes.map(node => ({
      id: stateId(machine, node.path),
      name: node === root ? "any state" : node.key,
      parent: node.parent === undefined || node.parent === root ? null : stateId(machine, node.parent.path),
      kind: node === root || node.type === "history" ? "atomic" : node.type,
      initial: node.parent?.type === "compound" && node.parent.initial.target.includes(node),
      passing: (node.always ?? []).some(row => row.guard === undefined),
      entry: requestWords(definition, node.entry),
      exit: requestWords(definition, node.exit),
    })),
    transitions: unique(nodes.flatMap(node => transitionsOf(definition, node))),
  }
}

export const stateId = (machine: string, path: readonly string[]): string => idOf("state", machine, ...path)

/** Ids of the states that a state value, as the log has it, stands in; a nested one stands in those around it too. */
export function statesIn(machine: string, value: string): readonly string[] {
  const paths = (inner: unknown, path: readonly string[]): (readonly string[])[] =>
    typeof inner === "string"
      ? [[...path, inner]]
      : Object.entries(inner ?? {}).flatMap(([name, rest]) => [
          [...path, name],
          ...paths(rest, [...path, name]),
        ])
  return paths(value.startsWith("{") ? JSON.parse(value) : value, []).map(path => stateId(machine, path))
}

/** Rows of one state: all alternatives of one input together, in the order in which they are tried. */
const tableOf = (node: AnyStateNode): (readonly AnyTransitionDefinition[])[] =>
  [node.always ?? [], ...node.transitions.values()].filter(rows => rows.length > 0)

function transitionsOf(definition: MachineDefinition, node: AnyStateNode): Transition[] {
  const { name: machine } = definition
  return tableOf(node).flatMap(rows =>
    rows.map(row => {
      const input = row.eventType === "" ? null : row.eventType.replace(/^xstate\.(\w+)\..*/, "$1")
      const guard = row.guard === undefined ? null : guardWords(row.guard)
      const condition = guard ?? (rows.length > 1 ? "otherwise" : null)
      const [target, ...others] = row.target ?? []
      if (others.length > 0)
        throw new TypeError(`machine ${machine}, ${node.path.join(".")}: several targets cannot be drawn`)
      return {
        id: idOf(
          "transition",
          machine,
          ...node.path,
          input === "*" ? "any" : (input ?? "always"),
          guard ?? "",
        ),
        from: stateId(machine, node.path),
        to: target === undefined ? null : stateId(machine, target.path),
        input,
        guard,
        when: [input ?? "at once", ...(condition === null ? [] : [`[${condition}]`])].join(" "),
        requests: requestWords(definition, row.actions),
      }
    }),
  )
}

const idOf = (...parts: readonly string[]): string =>
  parts
    .filter(part => part !== "")
    .map(part => part.replace(/[\W_]+/g, "_").replace(/^_|_$/g, ""))
    .join("_")

/** Only guards without a name can make two rows alike. */
function unique(transitions: readonly Transition[]): Transition[] {
  const seen = new Map<string, number>()
  return transitions.map(transition => {
    const count = (seen.get(transition.id) ?? 0) + 1
    seen.set(transition.id, count)
    return count === 1 ? transition : { ...transition, id: `${transition.id}_${count}` }
  })
}

/** Transitions with the same two ends, which one line can stand for; those that stay are none of them. */
export function arrowsOf({ transitions }: Graph): readonly (readonly [Transition, ...Transition[]])[] {
  const arrows = new Map<string, [Transition, ...Transition[]]>()
  for (const transition of transitions) {
    if (transition.to === null || transition.to === transition.from) continue
    const ends = `${transition.from} ${transition.to}`
    const others = arrows.get(ends)
    if (others === undefined) arrows.set(ends, [transition])
    else others.push(transition)
  }
  return [...arrows.values()]
}
/** What a state takes without being left. */
export const staying = ({ transitions }: Graph, state: State): readonly Transition[] =>
  transitions.filter(({ from, to }) => from === state.id && (to === null || to === from))
