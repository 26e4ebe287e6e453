/** README's table of dependencies names what is needed at run time, and what the measuring of it attributes to whom. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { dependencyTable, faultsOf, sizeFaults } from "./table.ts"
import { ownTrees } from "./tree.ts"

const read = (name: string) => readFileSync(join(import.meta.dirname, "..", "..", name), "utf8")
const { dependencies } = JSON.parse(read("package.json")) as {
  readonly dependencies: Readonly<Record<string, string>>
}

it("README.md names every dependency, each with a reason and a size", () => {
  expect(faultsOf(dependencyTable(read("README.md")), Object.keys(dependencies))).toEqual([])
})

it("finds every fault of a table", () => {
  const rows = dependencyTable(
    "# A\n## Dependencies\n\n| package | why | MB |\n|---|---|---|\n| a | | 1 |\n| b | x | |\n| b | x | 2.5 |\n| d | x | much |\n\n## More\n| e | x | 1 |\n",
  )
  expect(faultsOf(rows, ["a", "b", "c"])).toEqual([
    "c is not in the table",
    "d is no dependency",
    "b is there twice",
    "a has no reason",
    "b has no size",
    "d has no size",
  ])
})

it("a size may be a quarter off, or a tenth of a megabyte", () => {
  const rows = [
    { name: "big", why: "", megabytes: 10 },
    { name: "small", why: "", megabytes: 0.1 },
  ]
  const sized = (big: number, small: number) =>
    sizeFaults(rows, new Map(Object.entries({ big: big * 1024, small: small * 1024 })))
  expect(sized(12.4, 0.04)).toEqual([])
  expect(sized(8.1, 0.2)).toEqual([])
  expect(sized(13.5, 0.3)).toEqual([
    "big is 13.5 MB, the table says 10",
    "small is 0.3 MB, the table says 0.1",
  ])
  expect(sizeFaults(rows, new Map())).toHaveLength(1)
})

it("what several dependencies share belongs to none, and a dependency to itself", () => {
  const needs = (...names: readonly string[]) => ({
    version: "1.0.0",
    dependencies: Object.fromEntries(names.map(name => [name, "*"])),
  })
  const packages = {
    "node_modules/us": needs("a", "b", "c"),
    "node_modules/a": needs("only-a", "shared", "c"),
    "node_modules/a/node_modules/only-a": needs("deep"),
    "node_modules/a/node_modules/deep": needs("only-a"),
    "node_modules/deep": needs(),
    "node_modules/b": needs("shared", "deep"),
    "node_modules/c": needs(),
    "node_modules/shared": needs("below"),
    "node_modules/below": needs(),
  }
  expect(Object.fromEntries(ownTrees(packages, "node_modules/us"))).toEqual({
    a: ["node_modules/a", "node_modules/a/node_modules/only-a", "node_modules/a/node_modules/deep"],
    b: ["node_modules/b", "node_modules/deep"],
    c: ["node_modules/c"],
  })
  expect(() => ownTrees({ "node_modules/us": needs("a") }, "node_modules/us")).toThrow(/a, which .* needs/)
})
