/**
 * What a machine may be made of. Everything here is refused when a machine is defined, because the pure API
 * would list it and nothing would ever run it. Nothing here may depend on which machine it looks at.
 */
import { type AnyStateMachine, type AnyStateNode, initialTransition } from "xstate"

const allowedBuiltins: readonly string[] = ["xstate.assign", "xstate.raise"]

/** Throws a TypeError that names the state and the feature. `names` are the requests a machine may make. */
export function assertAllowed(name: string, machine: AnyStateMachine, names: readonly string[]): void {
  const refuse = (where: string, what: string) => {
    throw new TypeError(`machine ${name}, ${where}: ${what}`)
  }
  const nodes = nodesOf(machine.root)
  for (const node of nodes) {
    const where = node.path.join(".") || "root"
    if (node.invoke.length > 0) refuse(where, "invoke is not allowed; ask for an effect")
    if (node.config.after !== undefined) refuse(where, "after is not allowed; schedule a timer")
    if (node.type === "history") refuse(where, "history is not kept in a snapshot; use the context")
    for (const action of actionsOf(node)) {
      const flaw = flawOf(machine, action, names)
      if (flaw !== null) refuse(where, flaw)
    }
  }
  const cycles = nodes.some(node => node.always !== undefined || actionsOf(node).some(raises))
  if (cycles && !Number.isFinite(machine.options.maxIterations))
    refuse("root", "always and raise need options.maxIterations, or a cycle never ends")
  const [, actions] = initialTransition(machine)
  if (actions.length > 0) refuse("root", "nothing may be asked for before the first input")
}

export function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(child => nodesOf(child))]
}

function actionsOf(node: AnyStateNode): unknown[] {
  const rows = [...node.transitions.values()].flat().concat(node.always ?? [])
  const initial = node.type === "compound" ? node.initial.actions : []
  return [...node.entry, ...node.exit, ...initial, ...rows.flatMap(row => row.actions)]
}

const typeOf = (action: unknown): string | null => {
  if (typeof action === "string") return action
  const typed = (typeof action === "object" && action !== null) || typeof action === "function"
  return typed && "type" in action ? String(action.type) : null
}
const raises = (action: unknown) => typeOf(action) === "xstate.raise"

function flawOf(machine: AnyStateMachine, action: unknown, names: readonly string[]): string | null {
  const type = typeOf(action)
  if (type === null) return "an inline function is not an action; name it and assign or ask for an effect"
  if (type.startsWith("xstate.")) {
    if (!allowedBuiltins.includes(type)) return `${type.slice("xstate.".length)} is not allowed`
    if (raises(action) && typeof action === "function" && "delay" in action && action.delay !== undefined)
      return "a delayed raise is not allowed; schedule a timer"
    return null
  }
  if (names.includes(type)) return null
  const implementation: unknown = machine.implementations.actions[type]
  const builtin = typeOf(implementation)
  return builtin?.startsWith("xstate.")
    ? flawOf(machine, implementation, names)
    : `"${type}" is not in its effects`
}
