/** What Holdfast's own machines do not have, drawn all the same: nested, parallel, nameless, and signs of others. */
import { expect, it } from "vitest"
import type { Palette } from "../../adapters/cli/colours.ts"
import { graphOf, statesIn } from "../../adapters/diagram/graph.ts"
import { mermaidOf } from "../../adapters/diagram/mermaid.ts"
import { markedSvg } from "../../adapters/diagram/shipped.ts"
import { textOf } from "../../adapters/diagram/text.ts"
import { svgOf } from "../../scripts/diagrams/svg.ts"
import { sample } from "./sample.ts"

const graph = graphOf(sample)
const plain = (text: string) => text
const noColours: Palette = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain }
const whens = graph.transitions.map(({ when }) => when)

it("guards and requests are words, made of names and of nothing that would be called", () => {
  expect(whens).toContain("a:b;c#d [(is open) and (not has room)]")
  expect(whens).toContain("begin [(is open) or (has room)]")
  expect(whens.filter(when => when === "begin [a condition]")).toHaveLength(2)
  expect(graph.transitions.flatMap(({ requests }) => requests)).toEqual(["write file", "cancel patience"])
  expect(graph.states.find(({ name }) => name === "working")?.entry).toEqual(["schedule patience"])
})

it("a row of the root is there once, from any state", () => {
  const stop = graph.transitions.find(({ input }) => input === "stop")
  expect(stop).toMatchObject({ from: "state_sample", to: "state_sample_over" })
  expect(graph.states.find(({ id }) => id === "state_sample")?.name).toBe("any state")
})

it("a nested value stands in its states and in those around them", () => {
  expect(statesIn("sample", "resting")).toEqual(["state_sample_resting"])
  expect(statesIn("sample", '{"both":{"left":"off","right":"on"}}')).toEqual([
    "state_sample_both",
    "state_sample_both_left",
    "state_sample_both_left_off",
    "state_sample_both_right",
    "state_sample_both_right_on",
  ])
})

it("marking changes the marked states and nothing else", async () => {
  const svg = await svgOf(graph)
  const here = statesIn("sample", '{"working":"first"}')
  const drawing = markedSvg(svg, here)
  const marked = [...drawing.matchAll(/<g id="(\w+)" class="here /g)].map(([, id]) => id)
  expect(marked).toHaveLength(here.length)
  expect(marked).toEqual(expect.arrayContaining([...here]))
  expect(drawing.replaceAll('class="here ', 'class="')).toBe(svg)
  expect(() => markedSvg(svg, ["state_sample_gone"])).toThrow("npm run diagrams")
  expect(mermaidOf(graph, here)).toBe(
    `${mermaidOf(graph)}${mermaidOf(graph, here).split("\n").slice(-3).join("\n")}`,
  )
  expect(mermaidOf(graph, here)).toContain(`class ${here.join(",")} here\n`)
})

it("signs that Mermaid reads as its own do not reach it", () => {
  const line = mermaidOf(graph)
    .split("\n")
    .find(text => text.includes("cancel patience"))
  expect(line).toContain(" : a#58;b#59;c#35;d [")
})

it("the table keeps to 80 columns and says without colours where it is", () => {
  const here = statesIn("sample", '{"working":"first"}')
  const lines = textOf(graph, { states: here, remark: "is here" }, noColours).split("\n")
  expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(80)
  expect(lines.filter(line => line.startsWith("▶"))).toEqual([
    "▶ working  is here",
    "▶ working.first  (begins here)  is here",
  ])
  expect(textOf(graph, { states: [], remark: "" }, noColours)).not.toContain("▶")
})
