/**
 * A small explicit-state explorer: breadth first from one initial state, every state once, every property in
 * every state, and the shortest way to the first violation. States are plain data and are never changed in
 * place; it knows nothing of what they describe.
 */

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
  readonly check: (state: S) => Violation | null
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

/** Throws when there are more than `maxStates`: a bounded search that was cut short proves nothing. */
export function explore<S extends object>(model: Model<S>, { maxStates = 4_000_000 } = {}): Exploration {
  const canon = canonical()
  const numbers = new Map<number, number>([[canon(model.initial), 0]])
  const cameFrom: number[] = [-1]
  const cameBy: string[] = [""]
  const resting: number[] = []
  const edges = { from: [] as number[], to: [] as number[] }
  let level: (readonly [number, S])[] = [[0, model.initial]]
  let transitions = 0
  let depth = 0

  const trace = (state: number): string[] => {
    const labels: string[] = []
    for (let at = state; at > 0; at = cameFrom[at] ?? -1) labels.unshift(cameBy[at] ?? "?")
    return labels
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
      const broken = model.check(state)
      if (broken !== null) return report({ ...broken, trace: trace(number) })
      if (model.atRest(state)) resting.push(number)
      for (const move of model.moves(state)) {
        transitions += 1
        const key = canon(move.next)
        let to = numbers.get(key)
        if (to === undefined) {
          to = numbers.size
          if (to >= maxStates) throw new Error(`more than ${maxStates} states`)
          numbers.set(key, to)
          cameFrom.push(number)
          cameBy.push(move.label)
          next.push([to, move.next])
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
  const stuck = firstStuck(numbers.size, edges, resting)
  if (stuck === null) return report(null)
  return report({
    invariant: "liveness",
    what: "no way on from here to a state at rest",
    trace: trace(stuck),
  })
}

/** The first state from which no resting state can be reached along the edges: a walk backwards from all of them. */
function firstStuck(
  states: number,
  edges: { readonly from: readonly number[]; readonly to: readonly number[] },
  resting: readonly number[],
): number | null {
  // Edges grouped by their end: `first[to]` is the newest one, `older[edge]` the one before it.
  const first = new Int32Array(states).fill(-1)
  const older = new Int32Array(edges.to.length)
  edges.to.forEach((to, edge) => {
    older[edge] = first[to] ?? -1
    first[to] = edge
  })
  const reached = new Uint8Array(states)
  const queue = [...resting]
  for (const state of resting) reached[state] = 1
  for (let state = queue.pop(); state !== undefined; state = queue.pop())
    for (let edge = first[state] ?? -1; edge >= 0; edge = older[edge] ?? -1) {
      const from = edges.from[edge] ?? 0
      if (reached[from] === 1) continue
      reached[from] = 1
      queue.push(from)
    }
  const stuck = reached.indexOf(0)
  return stuck < 0 ? null : stuck
}

/**
 * Equal data, equal number. Parts are numbered once and remembered by reference, so that a move costs what it
 * changed and not the size of the state.
 */
export function canonical(): (value: object) => number {
  const byText = new Map<string, number>()
  const byReference = new WeakMap<object, number>()
  const name = (value: unknown): string =>
    typeof value === "object" && value !== null ? `#${number(value)}` : (JSON.stringify(value) ?? "-")
  const number = (value: object): number => {
    const known = byReference.get(value)
    if (known !== undefined) return known
    let text = Array.isArray(value) ? "[" : "{"
    for (const [key, part] of inOrder(Object.entries(value))) text += `${key}:${name(part)},`
    const found = byText.get(text) ?? byText.size
    byText.set(text, found)
    byReference.set(value, found)
    return found
  }
  return number
}

type Entries = [string, unknown][]
/** Records are mostly made in one order already. */
function inOrder(entries: Entries): Entries {
  const sorted = entries.every(([key], at) => at === 0 || (entries[at - 1]?.[0] ?? "") <= key)
  return sorted ? entries : entries.sort(([a], [b]) => (a < b ? -1 : 1))
}
