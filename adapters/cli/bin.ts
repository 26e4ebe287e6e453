#!/usr/bin/env node
/**
 * The command's entry: looks at the Node it runs on before anything native is loaded, then hands over to `main.ts`.
 * It must stay readable for an old Node: nothing but `import()` here, and no import at the top.
 */
import("../library/node-version.ts")
  .then(() => import("node:module"))
  .then(({ enableCompileCache }) => enableCompileCache()) // starting takes half as long from the second time on
  .then(() => import("./main.ts"))
  .then(({ main }) => main(process.argv.slice(2)))
  .catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`holdfast: ${message}\n`)
    process.exitCode = 2
  })
