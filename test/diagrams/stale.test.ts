/** What lies in `diagrams/` is what the machines are now: every byte, and no file more or less. */
import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { drawingsAmong, drawingsFolder } from "../../adapters/diagram/shipped.ts"
import { drawings } from "../../scripts/diagrams/drawings.ts"

const files = await drawings()

it.each([...files])("%s is up to date", (name, content) => {
  const there = readdirSync(drawingsFolder).includes(name)
  const same = there && readFileSync(new URL(name, drawingsFolder), "utf8") === content
  expect(same, `diagrams/${name} is stale. Run: npm run diagrams`).toBe(true)
})

it("no drawing is left of a machine that is gone", () => {
  const left = drawingsAmong(readdirSync(drawingsFolder)).filter(name => !files.has(name))
  expect(left, "Run: npm run diagrams").toEqual([])
})

it("other files may lie beside them", () => {
  expect(drawingsAmong(["README.md", "run.mmd", "run.svg", "terminal.svg"])).toEqual(["run.mmd", "run.svg"])
})
