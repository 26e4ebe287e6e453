/** Builds `dist/` for publishing: plain JavaScript and declarations, from the same sources that run here. */
import { execFileSync } from "node:child_process"
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { drawingsAmong, drawingsFolder } from "../adapters/diagram/shipped.ts"

const root = join(import.meta.dirname, "..")
const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"))
rmSync(join(root, "dist"), { recursive: true, force: true })
const tsc = join(typescript, "bin", "tsc")
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" })
for (const executable of ["adapters/cli/bin.js", "adapters/rehearsal/agent.js"])
  chmodSync(join(root, "dist", executable), 0o755)

const drawings = join(root, "dist", "diagrams")
mkdirSync(drawings)
for (const name of drawingsAmong(readdirSync(drawingsFolder)))
  copyFileSync(new URL(name, drawingsFolder), join(drawings, name))
