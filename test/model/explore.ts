/**
 * A small explicit-state explorer: breadth first from one initial state, every state once, every property in
 * every state, and the shortest way to the first violation. States are plain data and are never changed in
 * place; it knows nothing of what they describe.
 */
import { canonical } from "./canonical.ts"
import { type Edges, firstStuck } from "./stuck.ts"

export interface Move<S> {
  readonly label: string
  /** Whether the world owes us this move: everything but crashes, faults of the machine, and people. */
  readonly fair: boolean
  readonly next: S
}

export interface Violation {
  readonly invariant: string
  readonly what: string
}

export interface Model<S> {
  readonly initial: S
  readonly moves: (state: S) => readonly Move<S>[]
  readonly violations: (state: S) => readonly Violation[]
  /** Nothing is owed to anybody here. From every state such a one must be reachable by fair moves alone. */
  readonly atRest: (state: S) => boolean
}

export interface Exploration {
  readonly states: number
  readonly transitions: number
  /** The longest of the shortest ways. */
  readonly depth: number
  readonly violation: (Violation & { readonly trace: readonly string[] }) | null
}

export interface Options {
  /** More than these, and it throws: a bounded search that was cut short proves nothing. */
  readonly maxStates?: number
  /** Look for a violation of this invariant, and past those of others. */
  readonly only?: string
}

export function explore<S extends object>(model: Model<S>, options: Options = {}): Exploration {
  const { maxStates = 4_000_000, only } = options
  const canon = canonical()
  const first = canon(model.initial)
  const numbers = new Map<S, number>([[first, 0]])
  const cameFrom: number[] = [-1]
  /** Which of the moves of the state before. */
  const cameBy: number[] = [0]
  const resting: number[] = []
  const edges: Edges = { from: [], to: [] }
  let level: (readonly [number, S])[] = [[0, first]]
  let transitions = 0
  let depth = 0

  const trace = (end: number): string[] => {
    const choices: number[] = []
    for (let at = end; at > 0; at = cameFrom[at] ?? 0) choices.unshift(cameBy[at] ?? 0)
    const moves: Move<S>[] = []
    for (const choice of choices) {
      const move = model.moves(canon(moves.at(-1)?.next ?? first))[choice]
      if (move !== undefined) moves.push(move)
    }
    return moves.map(({ label }) => label)
  }
  const report = (violation: Exploration["violation"]): Exploration => ({
    states: numbers.size,
    transitions,
    depth,
    violation,
  })

  for (; level.length > 0; depth += 1) {
    const next: (readonly [number, S])[] = []
    for (const [number, state] of level) {
      const broken = model.violations(state).find(({ invariant }) => (only ?? invariant) === invariant)
      if (broken !== undefined) return report({ ...broken, trace: trace(number) })
      if (model.atRest(state)) resting.push(number)
      for (const [choice, move] of model.moves(state).entries()) {
        transitions += 1
        const reached = canon(move.next)
        let to = numbers.get(reached)
        if (to === undefined) {
          to = numbers.size
          if (to >= maxStates) throw new Error(`more than ${maxStates} states`)
          numbers.set(reached, to)
          cameFrom.push(number)
          cameBy.push(choice)
          next.push([to, reached])
        }
        if (move.fair) {
          edges.from.push(number)
          edges.to.push(to)
        }
      }
    }
    level = next
  }
  depth -= 1
  const stuck = only === undefined || only === "liveness" ? firstStuck(numbers.size, edges, resting) : null
  if (stuck === null) return report(null)
  return report({
    invariant: "liveness",
    what: "no way on from here to a state at rest",
    trace: trace(stuck),
  })
}
