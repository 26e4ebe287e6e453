/**
 * A machine's graph as Mermaid's `stateDiagram-v2`. A state's id is the one it has everywhere; the ids of transitions
 * stand in comments above the line that shows them, since Mermaid has no place for them.
 */
import { arrowsOf, type Graph, type State, staying, type Transition } from "./graph.ts"

/** `here`: ids of states to mark. */
export function mermaidOf(graph: Graph, here: readonly string[] = []): string {
  const marked = here.length === 0 ? [] : [`classDef here ${hereStyle}`, `class ${here.join(",")} here`]
  const lines = [
    "direction TB",
    ...within(graph, null),
    ...arrowsOf(graph).flatMap(arrow => arrowLines(arrow[0].from, arrow[0].to, arrow)),
    ...marked,
  ]
  return `stateDiagram-v2\n${lines.map(line => `  ${line}\n`).join("")}`
}
const hereStyle = "fill:#fff3c4,stroke:#9a6700,stroke-width:3px,color:#1f2328"

function within(graph: Graph, parent: State | null): string[] {
  const states = graph.states.filter(state => state.parent === (parent?.id ?? null))
  const drawn = states.map(state => [
    ...stateLines(graph, state),
    ...(state.initial ? [`[*] --> ${state.id}`] : []),
    ...(state.kind === "final" ? [`${state.id} --> [*]`] : []),
  ])
  // Regions of a parallel state are parted by a line of dashes.
  const between = parent?.kind === "parallel" ? ["--"] : []
  return drawn.flatMap((lines, index) => (index === 0 ? lines : [...between, ...lines]))
}

function stateLines(graph: Graph, state: State): string[] {
  const opening = `state "${safe(state.name)}" as ${state.id}`
  const stays = staying(graph, state)
  if (state.kind === "compound" || state.kind === "parallel") {
    const inner = within(graph, state).map(line => `  ${line}`)
    // A state around others has no room for text of its own.
    const loop = stays.length === 0 ? [] : arrowLines(state.id, state.id, stays)
    return [`${opening} {`, ...inner, "}", ...loop]
  }
  const own = [
    ["on entry", state.entry],
    ["on exit", state.exit],
  ] as const
  return [
    opening,
    ...own.flatMap(([when, requests]) =>
      requests.length === 0 ? [] : [`${state.id} : ${label({ when, requests })}`],
    ),
    ...stays.flatMap(row => [`%% ${row.id}`, `${state.id} : ${label(row)}`]),
  ]
}

function arrowLines(from: string, to: string | null, rows: readonly Transition[]): string[] {
  return [...rows.map(({ id }) => `%% ${id}`), `${from} --> ${to} : ${rows.map(label).join("<br/>")}`]
}

const label = ({ when, requests }: Pick<Transition, "when" | "requests">) =>
  safe(requests.length === 0 ? when : `${when} / ${requests.join(", ")}`)

/** Characters that Mermaid would read as its own. */
const safe = (text: string) => text.replace(/[:;#"<>]/g, char => `#${char.charCodeAt(0)};`)
