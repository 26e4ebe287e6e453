/** Imported first: says what is missing before anything native is loaded on a Node that cannot load it. */
const [major = 0] = process.versions.node.split(".").map(Number)
if (major < 24) {
  throw new Error(
    `Holdfast needs Node 24 or newer; this is ${process.versions.node}. Install it, or run \`npx node@24\` instead of \`node\`.`,
  )
}
