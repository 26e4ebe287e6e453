/** The colours of the drawings: light ones as attributes of the elements, dark ones by a style sheet over them. */
export const light = {
  paper: "#ffffff",
  box: "#f6f8fa",
  line: "#6e7781",
  ink: "#1f2328",
  asked: "#0550ae",
} as const

const dark: Readonly<Record<keyof typeof light, string>> = {
  paper: "#0d1117",
  box: "#161b22",
  line: "#8b949e",
  ink: "#e6edf3",
  asked: "#79c0ff",
}

const here = {
  light: { fill: "#fff3c4", line: "#9a6700" },
  dark: { fill: "#4b3a0c", line: "#e3b341" },
} as const

/** The first shape of a state is its ground; a second one is the outer border of a final state. */
const marked = ({ fill, line }: { readonly fill: string; readonly line: string }) =>
  `.here>:first-child{fill:${fill}}\n.here>path,.here>polygon{stroke:${line};stroke-width:2.5}`

/** Also says how a state looks that has the class `here`. */
export const styleSheet = [
  `.labels text{paint-order:stroke;stroke:${light.paper};stroke-width:4px;stroke-linejoin:round}`,
  marked(here.light),
  "@media (prefers-color-scheme:dark){",
  ...Object.entries(light).flatMap(([name, colour]) => {
    const other = dark[name as keyof typeof light] // the keys of `light` are just these
    return [`[fill="${colour}"]{fill:${other}}`, `[stroke="${colour}"]{stroke:${other}}`]
  }),
  `.labels text{stroke:${dark.paper}}`,
  marked(here.dark),
  "}",
].join("\n")
