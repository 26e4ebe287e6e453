/**
 * The tool calls of one run, so that each gives exactly one start and one end however often the agent says so.
 * Only what an end may lack is remembered, its name: arguments can be megabytes and have been passed on.
 */
import { limit } from "./limits.ts"

export interface Call {
  readonly key: string
  readonly name: string
  readonly open: boolean
}

/** A list, not a map: it is short, it keeps its order, and it can be frozen. */
export type Calls = readonly Call[]

export function find(calls: Calls, id: string): Call | undefined {
  const key = keyOf(id)
  return calls.find(call => call.key === key)
}

export function opened(calls: Calls, id: string, name: string): Calls {
  return [...roomFor(calls), { key: keyOf(id), name, open: true }]
}

export function closed(calls: Calls, id: string): Calls {
  const key = keyOf(id)
  return calls.map(call => (call.key === key ? { ...call, open: false } : call))
}

function roomFor(calls: Calls): Calls {
  if (calls.length < limit.calls) return calls
  const finished = calls.findIndex(call => !call.open)
  return calls.toSpliced(Math.max(finished, 0), 1)
}

/** An id of any length takes little room; the length tells apart most ids with the same beginning. */
function keyOf(id: string): string {
  return id.length <= limit.callKeyChars ? id : `${id.slice(0, limit.callKeyChars)}:${id.length}`
}
