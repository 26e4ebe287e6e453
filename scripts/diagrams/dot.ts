/**
 * A machine's graph as Graphviz reads it: one box per state, holding what does not leave it, and one arrow per pair of
 * states. Every transition has a cell of its own, so that it gets an element of its own. No layout is done here.
 */
import { arrowsOf, type Graph, type State, staying, type Transition } from "../../adapters/diagram/graph.ts"
import { folded, listed } from "../../adapters/diagram/labels.ts"
import { light } from "./palette.ts"

/** One whose widths Graphviz knows; `svg.ts` names others beside it that are as wide. */
export const font = "Helvetica"
/** Characters of one line of a label. */
const lineChars = 42

export function dotOf(graph: Graph): string {
  const top = graph.states.filter(state => state.parent === null)
  return [
    `digraph ${quoted(graph.machine)} {`,
    `graph [rankdir=TB, compound=true, nodesep=0.3, ranksep=0.4, pad=0.25, bgcolor="${light.paper}", fontname="${font}", fontsize=12]`,
    `node [shape=box, style="rounded,filled", fillcolor="${light.box}", color="${light.line}", fontname="${font}", fontsize=11, margin="0.12,0.07"]`,
    `edge [color="${light.line}", fontname="${font}", fontsize=10, arrowsize=0.7]`,
    ...top.flatMap(state => drawState(graph, state)),
    ...arrowsOf(graph).map(arrow => drawArrow(graph, arrow)),
    "}",
  ].join("\n")
}

const inside = ({ states }: Graph, { id }: State): readonly State[] =>
  states.filter(({ parent }) => parent === id)

function drawState(graph: Graph, state: State): string[] {
  const children = inside(graph, state)
  const begins = state.initial ? beginning(state, children.length > 0 ? leafOf(graph, state) : state) : []
  const content = table([title(state), ...boxRows(graph, state)])
  if (children.length === 0) {
    const style = `rounded,filled${state.passing ? ",dashed" : ""}`
    const peripheries = state.kind === "final" ? 2 : 1
    return [
      `${quoted(state.id)} [id=${quoted(state.id)}, class="state", style="${style}", peripheries=${peripheries}, label=${content}]`,
      ...begins,
    ]
  }
  return [
    `subgraph ${quoted(clusterOf(state))} {`,
    `id=${quoted(state.id)}; class="state"; style="rounded${state.kind === "parallel" ? ",dashed" : ""}"; color="${light.line}"; label=${content}`,
    ...children.flatMap(child => drawState(graph, child)),
    "}",
    ...begins,
  ]
}

/** The dot from which an arrow shows where to begin. */
function beginning(state: State, leaf: State): string[] {
  const dot = `begin_${state.id}`
  const around = leaf === state ? "" : `, lhead=${quoted(clusterOf(state))}`
  return [
    `${quoted(dot)} [id=${quoted(dot)}, class="begin", shape=circle, style=filled, fillcolor="${light.line}", width=0.12, label=""]`,
    `${quoted(dot)} -> ${quoted(leaf.id)} [id=${quoted(`${dot}_arrow`)}, class="arrow"${around}]`,
  ]
}

function drawArrow(graph: Graph, arrow: readonly [Transition, ...Transition[]]): string {
  const [{ from, to }] = arrow
  const [tail, head] = [from, to].map(id => graph.states.find(state => state.id === id))
  if (tail === undefined || head === undefined) throw new TypeError(`${from} or ${to} is no state`)
  const [tailLeaf, headLeaf] = [leafOf(graph, tail), leafOf(graph, head)]
  const clipped = [
    tailLeaf === tail ? "" : `, ltail=${quoted(clusterOf(tail))}`,
    headLeaf === head ? "" : `, lhead=${quoted(clusterOf(head))}`,
  ].join("")
  return `${quoted(tailLeaf.id)} -> ${quoted(headLeaf.id)} [id=${quoted(`arrow_${from}_${to}`)}, class="arrow"${clipped}, label=${table(arrow.map(cell))}]`
}

/** Graphviz draws arrows between boxes only; one to a state around others is cut off at its border. */
function leafOf(graph: Graph, state: State): State {
  const children = inside(graph, state)
  const first = children.find(({ initial }) => initial) ?? children[0]
  return first === undefined ? state : leafOf(graph, first)
}
const clusterOf = (state: State) => `cluster_${state.id}`

const title = ({ name }: State) =>
  `<TR><TD><FONT POINT-SIZE="13" COLOR="${light.ink}"><B>${escaped(name)}</B></FONT></TD></TR>`

function boxRows(graph: Graph, state: State): string[] {
  const own = [["on entry", state.entry] as const, ["on exit", state.exit] as const].flatMap(
    ([when, requests]) =>
      requests.length === 0 ? [] : [`<TR><TD ALIGN="LEFT" BALIGN="LEFT">${label(when, requests)}</TD></TR>`],
  )
  return [...own, ...staying(graph, state).map(cell)]
}

/** A cell gets an element with its id only where it has a link; `svg.ts` takes the link away again. */
const cell = ({ id, when, requests }: Transition) =>
  `<TR><TD ALIGN="LEFT" BALIGN="LEFT" ID="${id}" HREF="#">${label(when, requests)}</TD></TR>`

function label(when: string, requests: readonly string[]): string {
  const asks = requests.length === 0 ? "" : `/ ${requests.join(", ")}`
  if (when.length + asks.length < lineChars) return `${ink(when)}${asked(` ${asks}`)}`
  const lines = folded(listed(requests), lineChars).map((line, index) =>
    index === 0 ? `/ ${line}` : `  ${line}`,
  )
  return [ink(when), ...lines.map(line => asked(`    ${line}`))].join('<BR ALIGN="LEFT"/>')
}

const table = (rows: readonly string[]) =>
  `<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="3">${rows.join("")}</TABLE>>`
const ink = (text: string) => coloured(light.ink, text)
const asked = (text: string) => (text.trim() === "" ? "" : coloured(light.asked, text))
const coloured = (colour: string, text: string) => `<FONT COLOR="${colour}">${escaped(text)}</FONT>`
const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
const quoted = (text: string) => `"${text}"`
