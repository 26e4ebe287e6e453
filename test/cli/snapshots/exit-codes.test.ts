/** The table of exit codes is said in three places, and each of its numbers comes out of a command line. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { exitCodes } from "../../../adapters/cli/exit-codes.ts"
import { makePlace, type Place, rehearse } from "../harness.ts"

const codes = Object.values(exitCodes).toSorted((a, b) => a - b)

const run = (scenario: string, ...more: readonly string[]) => {
  return async (place: Place) => (await place.run(rehearse("s", ...more, "Do it."), { scenario })).code
}
const gives = (...words: readonly string[]) => {
  return async (place: Place) => (await place.run(words)).code
}
async function toNobody(place: Place): Promise<number | null> {
  await run("st-17")(place)
  return gives("send", "nobody", "Do it.")(place)
}
async function interrupted(place: Place): Promise<number | null> {
  const host = place.start(rehearse("s", "Do it."), { scenario: "pl-03" })
  await host.line("text.delta")
  host.child.kill("SIGINT")
  return (await host.ended).code
}

const table = [
  [0, "a turn that succeeds", run("st-17")],
  [0, "help", gives("--help")],
  [1, "an agent that crashes", run("crash")],
  [2, "a flag that is none", gives("run", "--nope", "Do it.")],
  [2, "an empty prompt", gives("run", "--agent", "rehearsal", "")],
  [3, "an agent that falls silent", run("pl-03", "--idle", "500ms")],
  [4, "a session that is none", toNobody],
  [5, "an agent that is not let in", run("not-logged-in")],
  [5, "no key", gives("run", "Do it.")],
  [75, "a service that asks to wait", run("rate-limit")],
  [75, "an account that is used up", run("quota-paid")],
  [130, "Ctrl-C", interrupted],
] as const

describe("exit codes", () => {
  it.each(table)("%i: %s", async (code, _, command) => {
    expect(await command(makePlace())).toBe(code)
  })

  it("each of the table's has a command line here, and these are all", () => {
    expect([...new Set(table.map(([code]) => code))]).toEqual(codes)
  })

  it("the README's table has exactly these", () => {
    const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8")
    const [, below = ""] = readme.split("| exit code | means |\n|---|---|\n")
    const rows = below.slice(0, below.indexOf("\n\n")).split("\n")
    expect(rows.map(row => Number(/^\| (\d+) \| \S.* \|$/.exec(row)?.[1]))).toEqual(codes)
  })

  it("and so has `--help`", async () => {
    const { stdout } = await makePlace().run(["--help"])
    const [, below = ""] = stdout.split("\nExit codes:\n")
    const listed = below.split(/ · |\n/).filter(item => item.trim() !== "")
    expect(listed.map(item => Number(/^ *(\d+) \S/.exec(item)?.[1]))).toEqual(codes)
  })
})
