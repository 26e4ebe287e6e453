/**
 * A graph's static drawing: Graphviz lays it out and draws it, and here its output becomes a file to ship: without
 * its preamble, with our style sheet, with plain groups where the transitions were links, and with the labels of
 * arrows on top of whatever crosses them.
 */
import { instance } from "@viz-js/viz"
import type { Graph } from "../../adapters/diagram/graph.ts"
import { dotOf, font } from "./dot.ts"
import { styleSheet } from "./palette.ts"

export async function svgOf(graph: Graph): Promise<string> {
  const viz = await instance()
  const drawn = viz.renderString(dotOf(graph), { format: "svg" })
  const plain = drawn
    .slice(drawn.indexOf("<svg"))
    .replaceAll(/<!--.*?-->\n/gs, "")
    .replaceAll("&#45;", "-")
    .replaceAll(/<title>.*?<\/title>\n/gs, "")
    .replaceAll(/<g id="a_(transition_\w+)"><a [^>]*>\n(.*?)<\/a>\n/gs, '<g id="$1" class="transition">\n$2')
    .replaceAll(' xml:space="preserve"', "")
    .replaceAll(/font-family="[^"]*"/g, `font-family="${font},Arial,Liberation Sans,sans-serif"`)
    .replace("<svg", `<svg xml:space="preserve" role="img" aria-label="The ${graph.machine} machine"`)
    .replace(/ xmlns:xlink="[^"]*">/, `>\n<style>\n${styleSheet}\n</style>`)
  return labelsLast(linesJoined(plain))
}

const text = /^<text .* y="([^"]*)" .*(fill="[^"]*")>(.*)<\/text>$/

/** Two colours in one line become one text, so that the second begins where the first really ends. */
function linesJoined(svg: string): string {
  const lines: string[] = []
  for (const line of svg.split("\n")) {
    const last = lines.at(-1) ?? ""
    const [, y, colour, words] = text.exec(line) ?? []
    if (y !== undefined && y === text.exec(last)?.[1])
      lines.splice(-1, 1, last.replace(/<\/text>$/, `<tspan ${colour}>${words}</tspan></text>`))
    else lines.push(line)
  }
  return lines.join("\n")
}

const arrow =
  /(<g id="arrow_[^>]*>\n(?:<(?:path|polygon)[^\n]*\n)+)((?:<g id="transition_[^>]*>\n(?:<text[^\n]*\n)+<\/g>\n)+)/g

/** A later arrow may cross the label of an earlier one. */
function labelsLast(svg: string): string {
  const labels: string[] = []
  const arrows = svg.replaceAll(arrow, (_, line: string, label: string) => {
    labels.push(label)
    return line
  })
  return arrows.replace(/<\/g>\n<\/svg>\n$/, `<g class="labels">\n${labels.join("")}</g>\n$&`)
}
