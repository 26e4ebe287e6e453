/** Draws every machine into `diagrams/`, and removes the drawing of one that is gone. `npm run diagrams` runs it. */
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { drawingsAmong, drawingsFolder } from "../adapters/diagram/shipped.ts"
import { drawings } from "./diagrams/drawings.ts"

const files = await drawings()
for (const name of drawingsAmong(readdirSync(drawingsFolder)))
  if (!files.has(name)) rmSync(new URL(name, drawingsFolder))
for (const [name, content] of files) writeFileSync(new URL(name, drawingsFolder), content)
