/**
 * Every state and every transition of every machine has an element in the drawing and a line in Mermaid, under one
 * readable id that is used once. Counted against what the machine's author wrote.
 */
import { describe, expect, it } from "vitest"
import { graphOf } from "../../adapters/diagram/graph.ts"
import { drawn } from "../../adapters/diagram/machines.ts"
import { mermaidOf } from "../../adapters/diagram/mermaid.ts"
import * as machines from "../../machines/index.ts"
import { indexPage } from "../../scripts/diagrams/index-page.ts"
import { svgOf } from "../../scripts/diagrams/svg.ts"
import { writtenIn } from "./config.ts"
import { sample } from "./sample.ts"

const slug = (...parts: readonly string[]) => parts.map(part => part.replace(/[^A-Za-z0-9]+/g, "_")).join("_")
const idsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, id = ""]) => id)
const belongsTo = (id: string, prefix: string) => id === prefix || id.startsWith(`${prefix}_`)

it("every machine that the library defines is drawn, and has its place on the index page", () => {
  const defined = Object.values(machines).flatMap(value =>
    typeof value === "object" && "machine" in value && typeof value.name === "string" ? [value.name] : [],
  )
  const known = [...new Set([...defined, ...Object.keys(machines.definitions)])]
  expect([...drawn.keys()].sort()).toEqual(known.sort())
  const page = indexPage()
  for (const [name, { about }] of drawn) {
    expect(about.length, name).toBeGreaterThan(100)
    for (const part of [`## ${name}\n\n${about}\n`, `](${name}.svg)`, `](${name}.mmd)`, "](decisions)"])
      expect(page).toContain(part)
  }
})

const definitions = [...[...drawn.values()].map(({ definition }) => definition), sample]
describe.each(definitions.map(definition => [definition.name, definition] as const))(
  "%s",
  async (name, definition) => {
    const { paths, rows } = writtenIn(definition.machine)
    const graph = graphOf(definition)
    const [svg, mermaid] = [await svgOf(graph), mermaidOf(graph)]
    const drawnIds = idsIn(svg, / id="([^"]*)"/g)
    const states = paths.map(path => slug("state", name, ...path))

    it("every state has an element, and an id in Mermaid", () => {
      expect(drawnIds.filter(id => id.startsWith("state_")).sort()).toEqual([...states].sort())
      expect(idsIn(mermaid, /^ *state "[^"]*" as (\w+)/gm).sort()).toEqual([...states].sort())
    })

    it("every transition has an element, and a comment in Mermaid, and none is invented", () => {
      for (const ids of [
        drawnIds.filter(id => id.startsWith("transition_")),
        idsIn(mermaid, /^ *%% (\w+)$/gm),
      ]) {
        expect(ids).toHaveLength(rows.length)
        for (const { path, input } of rows) {
          const prefix = slug("transition", name, ...path, input)
          const same = rows.filter(row => row.path === path && row.input === input)
          expect(
            ids.filter(id => belongsTo(id, prefix)),
            prefix,
          ).toHaveLength(same.length)
        }
      }
    })

    it("every id is used once, and is an identifier everywhere", () => {
      expect(new Set(drawnIds).size).toBe(drawnIds.length)
      for (const id of drawnIds) expect(id).toMatch(/^[a-zA-Z]\w*$/)
    })

    it("an arrow goes where the row says, and a row that goes nowhere has none", () => {
      // A target that is a neighbour's name says it all; the others are for the sample's own test.
      const flat = rows.filter(row => row.path.length === 1 && !row.target?.match(/[.#]/))
      expect(flat.length).toBeGreaterThan(0)
      for (const { path, input, target } of flat) {
        const [from, to] = [
          slug("state", name, ...path),
          target === null ? null : slug("state", name, target),
        ]
        const prefix = slug("transition", name, ...path, input)
        const lines = mermaid.split("\n").map(line => line.trim())
        const shown = lines.flatMap((line, index) =>
          line.startsWith("%% ") && belongsTo(line.slice(3), prefix)
            ? [lines.slice(index).find(next => !next.startsWith("%% ")) ?? ""]
            : [],
        )
        const start = to === null ? `${from} ` : `${from} --> ${to} : `
        expect(
          shown.some(line => line.startsWith(start)),
          `${prefix}: ${shown.join("\n")}`,
        ).toBe(true)
        if (to !== null) expect(drawnIds).toContain(`arrow_${from}_${to}`)
      }
    })

    it("the drawing has one label for each transition, with its input in it", () => {
      for (const { path, input } of rows) {
        const prefix = slug("transition", name, ...path, input)
        const words = input === "always" ? "at once" : input
        const labels = [...svg.matchAll(/<g id="(transition_\w+)" class="transition">\n<text [^>]*>([^<]*)/g)]
        const own = labels.filter(([, id = ""]) => belongsTo(id, prefix))
        expect(own.length, prefix).toBeGreaterThan(0)
        for (const [, , label] of own) expect(label?.startsWith(words), `${prefix}: ${label}`).toBe(true)
      }
    })
  },
)
