/**
 * The drawings that are shipped: where they are, beside the sources as well as beside what was compiled, and how a
 * state is marked in one.
 */
import { readFileSync } from "node:fs"

/** `diagrams/` of the checkout, or the copy that the build puts into `dist/`. */
export const drawingsFolder = new URL("../../diagrams/", import.meta.url)

/** Of the files there, those that are drawings of machines: each Mermaid source, and the drawing of that name. */
export const drawingsAmong = (names: readonly string[]): readonly string[] =>
  names.filter(name => names.includes(name.replace(/\.svg$/, ".mmd")) && /\.(?:svg|mmd)$/.test(name))

export const readSvg = (machine: string): string =>
  readFileSync(new URL(`${machine}.svg`, drawingsFolder), "utf8")

/** Adds the class `here` to the elements with these ids; the drawing's own style sheet does the rest. */
export function markedSvg(svg: string, states: readonly string[]): string {
  return states.reduce((drawing, id) => {
    const element = `<g id="${id}" class="`
    if (!drawing.includes(element)) throw new TypeError(`the drawing has no ${id}; run \`npm run diagrams\``)
    return drawing.replace(element, `${element}here `)
  }, svg)
}
