/** Which states of an explored graph cannot get to rest any more. It knows numbers and edges only. */

export interface Edges {
  readonly from: number[]
  readonly to: number[]
}

/** The first state from which no resting state can be reached along the edges: a walk backwards from all of them. */
export function firstStuck(states: number, edges: Edges, resting: readonly number[]): number | null {
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
