/** The README's code compiles against the sources, under the package's own names. It does not run here. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { blocksOf } from "../newcomer/page.ts"

const root = join(import.meta.dirname, "..", "..")
// Inside the tree, so that packages are found; in a folder that git and the other checks pass over.
const place = join(root, "node_modules", ".cache", "readme")
afterAll(() => rmSync(place, { recursive: true, force: true }))

const blocks = blocksOf(readFileSync(join(root, "README.md"), "utf8"))
  .filter(({ language }) => language === "ts")
  .map(({ lines }) => lines.join("\n"))

function compile(sources: readonly string[]): { readonly status: number | null; readonly output: string } {
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  for (const [index, source] of sources.entries()) writeFileSync(join(place, `block${index}.ts`), source)
  const paths = {
    holdfast: [join(root, "adapters/library/index.ts")],
    "holdfast/agents": [join(root, "adapters/agents/index.ts")],
    "holdfast/testing": [join(root, "adapters/testing/index.ts")],
  }
  const config = { extends: join(root, "tsconfig.json"), compilerOptions: { paths }, include: ["*.ts"] }
  writeFileSync(join(place, "tsconfig.json"), JSON.stringify(config))
  writeFileSync(join(place, "package.json"), JSON.stringify({ type: "module" }))
  const tsc = join(root, "node_modules", ".bin", "tsc")
  const { status, stdout } = spawnSync(tsc, ["-p", place], { encoding: "utf8" })
  return { status, output: stdout }
}

it("the README's code blocks compile", () => {
  expect(blocks.length).toBeGreaterThan(0)
  expect(compile(blocks)).toEqual({ status: 0, output: "" })
})

it("a block that uses what is not there would be noticed", () => {
  const wrong = blocks.map(block => block.replace("openHost(", "openHosts("))
  expect(compile(wrong).output).toContain("openHosts")
})
