/**
 * A machine for a terminal of 80 columns: every state with what it takes, where that leads and what it asks for. It
 * wraps within its columns, and says without colours what it says with them.
 */
import type { Palette } from "../cli/colours.ts"
import type { Graph, State, Transition } from "./graph.ts"
import { folded, listed } from "./labels.ts"

const lineChars = 80
const mostWhenChars = 34
const indent = "    "
const gap = "  "

export interface Mark {
  /** Ids of the states to mark; empty for none. */
  readonly states: readonly string[]
  /** What is said beside them. */
  readonly remark: string
}

export function textOf(graph: Graph, mark: Mark, paint: Palette): string {
  const { machine, version, states, transitions } = graph
  const columns = columnsOf(graph)
  const title = `${paint.bold(machine)}  version ${version}: ${states.length} states, ${transitions.length} transitions`
  const blocks = states.map(state => {
    const rows = transitions.filter(({ from }) => from === state.id)
    return [
      heading(graph, state, mark, paint),
      ...ownRows(state, paint),
      ...rows.flatMap(row => rowLines(graph, row, columns, paint)),
    ].join("\n")
  })
  return `${[title, ...blocks].join("\n\n")}\n`
}

function heading(graph: Graph, state: State, mark: Mark, { bold, cyan, dim }: Palette): string {
  const traits = [
    ...(state.initial ? ["begins here"] : []),
    ...(state.kind === "final" ? ["ends here"] : []),
    ...(state.kind === "parallel" ? ["all at once"] : []),
    ...(state.passing ? ["left at once"] : []),
  ]
  const about = traits.length === 0 ? "" : dim(`${gap}(${traits.join(", ")})`)
  const name = fullName(graph, state)
  return mark.states.includes(state.id)
    ? `${cyan(bold(`▶ ${name}`))}${about}${gap}${cyan(mark.remark)}`
    : `  ${bold(name)}${about}`
}

function ownRows({ entry, exit }: State, { dim }: Palette): string[] {
  return [["on entry: ", entry] as const, ["on exit: ", exit] as const].flatMap(([when, requests]) => {
    if (requests.length === 0) return []
    return folded(listed(requests), lineChars - indent.length - when.length).map(
      (line, index) => `${indent}${index === 0 ? when : " ".repeat(when.length)}${dim(line)}`,
    )
  })
}

interface Columns {
  readonly when: number
  readonly next: number
}

function columnsOf(graph: Graph): Columns {
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map(text => text.length))
  return {
    when: Math.min(mostWhenChars, longest(graph.transitions.map(({ when }) => when))),
    next: longest(graph.transitions.map(row => nextOf(graph, row))),
  }
}

function rowLines(graph: Graph, row: Transition, columns: Columns, { dim, cyan }: Palette): string[] {
  const restChars = Math.max(12, lineChars - indent.length - columns.when - columns.next - 2 * gap.length)
  const whens = folded(row.when.split(" "), columns.when)
  const asks = folded(listed(row.requests), restChars)
  const next = nextOf(graph, row)
  return Array.from({ length: Math.max(whens.length, asks.length) }, (_, index) => {
    const there = (index === 0 ? next : "").padEnd(columns.next)
    const ask = asks[index] ?? ""
    const line = [
      (whens[index] ?? "").padEnd(columns.when),
      row.to === null ? dim(there) : cyan(there),
      dim(ask),
    ]
    return `${indent}${line.join(gap)}`.trimEnd()
  })
}

const nextOf = (graph: Graph, { to }: Transition): string => {
  const state = graph.states.find(({ id }) => id === to)
  return state === undefined ? "stays" : `→ ${fullName(graph, state)}`
}

/** With the states around it: `active.waiting`. */
function fullName(graph: Graph, { name, parent }: State): string {
  const around = graph.states.find(({ id }) => id === parent)
  return around === undefined ? name : `${fullName(graph, around)}.${name}`
}
