/**
 * The guards of `npm run check`: each forbidden import and each impurity is planted in a copy of the tree's shape,
 * and has to be found. That the real tree is clean is the check's own business.
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "..", "..")
const tree = mkdtempSync(join(tmpdir(), "holdfast-arrows-"))
afterAll(() => rmSync(tree, { recursive: true }))

const forbidden: readonly (readonly [string, string])[] = [
  ["machines", "../store/index.ts"],
  ["machines", "../effects/log.ts"],
  ["machines", "node:fs"],
  ["machines", "node:child_process"],
  ["machines", "node:crypto"],
  ["machines", "effect"],
  ["store", "../effects/log.ts"],
  ["store", "../adapters/library/index.ts"],
  ["effects", "../adapters/agents/index.ts"],
  ["effects/run", "../../adapters/agents/index.ts"],
  ["effects", "../test/harness.ts"],
  ["adapters/cli", "../../test/harness.ts"],
]
const allowed: readonly (readonly [string, string])[] = [
  ["machines", "./words.ts"],
  ["machines", "xstate"],
  ["machines", "zod"],
  ["store", "../machines/words.ts"],
  ["effects", "../store/index.ts"],
  ["adapters/cli", "../library/index.ts"],
]
const impure = [
  "Date.now()",
  "new Date()",
  "Math.random()",
  "crypto.randomUUID()",
  "setTimeout(() => 1, 1)",
  "setInterval(() => 1, 1)",
  "queueMicrotask(() => {})",
  "process.pid",
  "performance.now()",
  "fetch('x')",
  "globalThis.Date",
]

/** All plants are linted in one run; what was found is kept by file. */
const plants = new Map<string, string>()
function plant(folder: string, source: string): string {
  const file = `${folder}/plant${plants.size}.ts`
  plants.set(file, source)
  return file
}
let report = ""
beforeAll(() => {
  copyFileSync(join(root, ".oxlintrc.json"), join(tree, ".oxlintrc.json"))
  for (const [file, source] of plants) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), `${source}\n`)
  }
  const oxlint = join(root, "node_modules", ".bin", "oxlint")
  report = spawnSync(oxlint, ["--format", "unix"], { cwd: tree, encoding: "utf8" }).stdout
})
const found = (file: string) => report.split("\n").filter(line => line.includes(`${file}:`))

describe("imports against the grain are found", () => {
  it.each(
    forbidden.map(([folder, from]) => {
      const value = plant(folder, `import { x } from "${from}"\nexport const a = x`)
      const type = plant(folder, `import type { X } from "${from}"\nexport const a: X = 1`)
      return { folder, from, value, type }
    }),
  )("$folder importing $from, also as a type", ({ value, type }) => {
    for (const file of [value, type]) expect(found(file).join()).toContain("no-restricted-imports")
  })

  it.each(
    allowed.map(([folder, from]) => ({
      folder,
      from,
      file: plant(folder, `import { x } from "${from}"\nexport const a = x`),
    })),
  )("$folder may import $from", ({ file }) => {
    expect(found(file)).toEqual([])
  })
})

describe("impurity in a machine is found", () => {
  it.each(impure.map(expression => [expression, plant("machines", `export const a = () => ${expression}`)]))(
    "%s",
    (_, file) => {
      expect(found(file ?? "").join()).toContain("no-restricted-")
    },
  )
})
