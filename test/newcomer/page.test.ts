/** The walk through README.md leaves nothing out: what it does not know is an error, on either side. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { blocksOf, commandsOf, linksOf, scriptsOf } from "./page.ts"
import { planOf } from "./plan.ts"

const page = readFileSync(join(import.meta.dirname, "..", "..", "README.md"), "utf8")
const block = (fence: string, text: string) => `${page}\n\`\`\`${fence}\n${text}\n\`\`\`\n`
const added = (fence: string, text: string) => () => planOf(block(fence, text))

it("everything in README.md is known, and everything known is in it", () => {
  const kinds = planOf(page).map(step => step.kind)
  expect(new Set(kinds)).toEqual(new Set(["command", "program", "drawing"]))
  expect(kinds).toHaveLength(planOf(block("", "a drawing")).length - 1)
})

describe("what is not known is refused", () => {
  it.each([
    ["a command", "sh", "holdfast dance", /nothing is known of: holdfast dance/],
    ["a command of a block that needs no key", "sh", 'holdfast run "Hello"', /nothing is known of/],
    ["a placeholder", "sh", "holdfast log <turn>", /what is <turn>\?/],
    ["a program", "ts", "console.log(1)", /nothing is known of: console/],
    ["a language", "json", "{}", /a block of another kind: json/],
    ["a word behind the fence", "sh later", "holdfast sessions", /a block of another kind: sh later/],
    ["a long line", "sh", "holdfast \\\n sessions", /goes on in the next line/],
  ])("%s", (_, fence, text, error) => {
    expect(added(fence, text)).toThrow(error)
  })

  it("a block without an end", () => {
    expect(() => planOf(`${page}\n\`\`\`sh\n`)).toThrow(/has no end/)
  })

  it("a row of the table whose command is gone", () => {
    expect(() => planOf(page.replace("holdfast rebuild", ""))).toThrow(/not in the page: \^holdfast rebuild/)
  })
})

it("a command is its line without the comment", () => {
  const text = ['a "b # c" d  # e', "# only a comment", "", "f#g 'h # i' \\# j # k", "l | m"].join("\n")
  const [one] = blocksOf(`\`\`\`sh\n${text}\n\`\`\``)
  expect(one === undefined ? [] : commandsOf(one)).toEqual([
    { line: 2, text: 'a "b # c" d' },
    { line: 5, text: "f#g 'h # i' \\# j" },
    { line: 6, text: "l | m" },
  ])
})

it("what a page names is found", () => {
  const named =
    "![x](a/b.svg) [y](c.md) [z](#here) [w](mailto:me) `npm run a:b` npm run --silent c, npm run a:b"
  expect(linksOf(named)).toEqual(["a/b.svg", "c.md"])
  expect(scriptsOf(named)).toEqual(["a:b", "c"])
})
