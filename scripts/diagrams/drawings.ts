/** Everything that is generated in `diagrams/`, in memory: file names and contents. It writes nothing. */
import { graphOf } from "../../adapters/diagram/graph.ts"
import { drawn } from "../../adapters/diagram/machines.ts"
import { mermaidOf } from "../../adapters/diagram/mermaid.ts"
import { indexPage } from "./index-page.ts"
import { svgOf } from "./svg.ts"

export async function drawings(): Promise<ReadonlyMap<string, string>> {
  const files = new Map([["README.md", indexPage()]])
  for (const { definition } of drawn.values()) {
    const graph = graphOf(definition)
    files.set(`${graph.machine}.mmd`, mermaidOf(graph))
    files.set(`${graph.machine}.svg`, await svgOf(graph))
  }
  return files
}
