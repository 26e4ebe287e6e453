/** Every verb explains itself, and what its examples say can really be typed. */
import type { Command } from "commander"
import { describe, expect, it } from "vitest"
import type { Output } from "../../../adapters/cli/output.ts"
import { programFor } from "../../../adapters/cli/program.ts"
import { ask } from "../ask.ts"

const output: Output = {
  ...{ json: false, shared: false, gone: new AbortController().signal },
  ...{ record: () => undefined, text: () => undefined, note: () => undefined },
  room: async () => undefined,
  flushed: async () => undefined,
}
const load = (words: readonly string[]) => programFor(words, { output, exit: () => undefined })
const verbs = (await load([])).commands

function helpOf(command: Command): string {
  let text = ""
  command.configureOutput({
    writeOut: more => {
      text += more
    },
  })
  command.outputHelp()
  return text
}

/** The words of the command in a line as a person types it. */
function wordsOf(line: string): readonly string[] {
  const [, ours = ""] = /holdfast (.*?)(?: > .*)?$/.exec(line) ?? []
  return [...ours.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "")
}

const examples = verbs.flatMap(command => {
  const [, below = ""] = helpOf(command).split("\nExamples:\n")
  return below
    .split("\n")
    .filter(line => line.startsWith("  $ "))
    .map(line => [command.name(), line.slice(4)] as const)
})

describe("help", () => {
  it.each(verbs.map(command => [command.name(), command] as const))(
    "of %s has a summary, a description and an example",
    (name, command) => {
      expect(command.summary()).toMatch(/^\S.{5,}[^.]$/)
      expect(command.description()).toMatch(/^[A-Z].{20,}\.$/)
      expect(examples.filter(([verb]) => verb === name).length).toBeGreaterThan(0)
    },
  )

  it.each(examples)("%s: what the example says can be typed: %s", async (name, line) => {
    const words = wordsOf(line)
    const program = await load([])
    let called = ""
    for (const command of program.commands)
      command.action(() => {
        called = command.name()
      })
    await program.parseAsync(words, { from: "user" })
    expect(called).toBe(words[0])
    expect(verbs.map(verb => verb.name())).toContain(name)
  })

  it("of one verb is the same by `help` and by `--help`", async () => {
    const said = async (...words: readonly string[]) => {
      let text = ""
      const program = await load(words)
      for (const command of [program, ...program.commands])
        command.configureOutput({
          writeOut: more => {
            text += more
          },
        })
      await program.parseAsync(words, { from: "user" }).catch(() => undefined) // how commander ends after a help
      return text
    }
    const help = await said("help", "erase")
    expect(help).toContain("Usage: holdfast erase")
    expect(await said("erase", "--help")).toBe(help)
  })

  it("of a verb that is none says so", async () => {
    const { code, notes } = await ask(["help", "frobnicate"])
    expect([code, notes.join()]).toEqual([2, expect.stringContaining("USAGE_VERB")])
  })
})
