/** Every example is run for real; what it claims is judged by its output, the agent's journal and a second reader. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openHost } from "../../adapters/library/index.ts"
import { rehearsal, type Scenario } from "../../adapters/testing/index.ts"
import { Scene, until } from "./support.ts"

it("embed.ts prints the agent's reply and the outcome, in ten lines", async () => {
  const scene = new Scene()
  const stdout = await scene.start("embed.ts", null).done()
  expect(stdout).toMatch(/^I'll write a note first[\s\S]*rehearsal[\s\S]*\nsucceeded\n$/)
  const source = readFileSync(join(import.meta.dirname, "../../examples/embed.ts"), "utf8")
  const lines = source.split("\n").filter(line => line !== "" && !/^(\/\*\*|import )/.test(line))
  expect(lines.length).toBeLessThanOrEqual(10)
  expect(scene.noted("prompt")).toHaveLength(1)
})

it("effect-program.ts follows the tools, catches the conflict, and closes its host", async () => {
  const scene = new Scene()
  const stdout = await scene.start("effect-program.ts", null).done()
  expect(stdout.split("\n")).toEqual([
    expect.stringContaining("rehearsal-notes.md"),
    expect.stringContaining("rehearsal-notes.md"),
    expect.stringContaining("Count the notes"),
    "COMMAND_CONFLICT, as it should be",
    "succeeded",
    "",
  ])
  expect(scene.noted("prompt")).toHaveLength(1)
})

it("I7 resume-by-cursor.ts, killed in the middle, has every event once", async () => {
  const scene = new Scene()
  const scenario: Scenario = {
    turns: [
      {
        steps: [
          { do: "init" },
          { do: "user" },
          { do: "text", text: "The first half, in many pieces. ", chunks: 8 },
          { do: "waitForFile", path: scene.at("go") },
          { do: "text", text: "The second half, in many pieces.", chunks: 8 },
          { do: "result" },
        ],
      },
    ],
  }
  const file = scene.at("events.ndjson")
  const first = scene.start("resume-by-cursor.ts", scenario, file)
  await until(() => read(file).length >= 5, "some events")
  await first.kill()
  const before = read(file).length
  expect(read(file).some(event => event.type === "turn.settled")).toBe(false)
  writeFileSync(scene.at("go"), "")
  const stdout = await scene.start("resume-by-cursor.ts", scenario, file).done()
  expect(stdout).toMatch(new RegExp(`^${before} events were there, [1-9]\\d* were added: `))
  // Whoever reads it now from the beginning sees exactly that.
  expect(read(file)).toEqual(await eventsOf(scene.at("state"), "resume-by-cursor"))
  expect(read(file).at(-1)).toMatchObject({ type: "turn.settled", outcome: "succeeded" })
  expect(scene.noted("prompt")).toHaveLength(1)
  // Started once more, it finds nothing new.
  expect(await scene.start("resume-by-cursor.ts", scenario, file).done()).toContain(" 0 were added")
})

it("I5 I8 job-queue.ts, killed in the middle of its second job, does each job once", async () => {
  const scene = new Scene()
  const scenario: Scenario = {
    turns: [
      {
        when: { promptIncludes: "18" },
        steps: [
          { do: "init" },
          { do: "user" },
          { do: "waitForFile", path: scene.at("go") },
          { do: "text", text: "Written." },
          { do: "result" },
        ],
      },
      { steps: [{ do: "init" }, { do: "user" }, { do: "text", text: "Written." }, { do: "result" }] },
    ],
  }
  const first = scene.start("job-queue.ts", scenario)
  await until(() => scene.noted("prompt").length === 2, "the second job")
  await until(() => first.stdout().includes("invoice-17"), "the first result")
  await first.kill()
  expect(first.stdout()).toBe("3 jobs accepted\ninvoice-17: succeeded\n")
  writeFileSync(scene.at("go"), "")
  const whole = [
    "3 jobs accepted",
    "invoice-17: succeeded",
    "invoice-18: succeeded",
    "invoice-19: succeeded",
    "invoice-17 again, with another prompt: COMMAND_CONFLICT",
    "",
  ].join("\n")
  expect(await scene.start("job-queue.ts", scenario).done()).toBe(whole)
  expect(await scene.start("job-queue.ts", scenario).done()).toBe(whole)
  const jobs = ["17", "18", "19"].map(number => sha256(`Write the letter for invoice ${number}`))
  expect(scene.noted("prompt").map(entry => entry.sha256)).toEqual(jobs)
  expect(scene.noted("remembered")).toHaveLength(3)
})

it("each example is run here, and is in the list for readers", () => {
  const folder = join(import.meta.dirname, "../../examples")
  const here = readFileSync(import.meta.filename, "utf8")
  const readme = readFileSync(join(folder, "README.md"), "utf8")
  const names = readdirSync(folder).filter(name => name.endsWith(".ts"))
  expect(names).toHaveLength(4)
  for (const name of names) {
    expect(here).toContain(`start("${name}"`)
    expect(readme).toContain(`\`${name}\``)
  }
})

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** Whole lines only. */
function read(file: string): readonly { readonly type: string }[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1)
  return lines.map(line => JSON.parse(line) as { readonly type: string })
}

async function eventsOf(home: string, session: string): Promise<readonly unknown[]> {
  await using host = await openHost({ agents: [rehearsal()], home })
  const [row] = host.session(session).turns()
  const events: unknown[] = []
  for await (const event of host.turn(row?.turn ?? "").events()) events.push(event)
  return JSON.parse(JSON.stringify(events)) as readonly unknown[]
}
