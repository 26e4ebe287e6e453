import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { execa } from "execa"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type RehearsalOptions, rehearsal } from "../../../adapters/agents/index.ts"
import { readJournal } from "../../../adapters/rehearsal/index.ts"
import { exited, linesOf, play } from "./support.ts"

let root = ""
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "cursor-rehearsal-"))
  for (const name of ["config", "work"]) await mkdir(join(root, name))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const request = (resume: string | null = null) => ({
  model: "auto",
  cwd: join(root, "work"),
  resume,
  approveMcps: false,
  configDir: join(root, "config"),
})

/** One turn of the double, started as the adapter says. */
async function turn(options: RehearsalOptions, prompt = "Say hello.", resume: string | null = null) {
  const agent = rehearsal({ pace: 0, ...options })
  const located = await agent.locate(process.env)
  if (!("binary" in located)) throw new Error(located.explanation)
  const { binary, args, env } = agent.invocation(located.binary, request(resume), process.env)
  const run = await execa(binary, args, {
    cwd: request().cwd,
    env: { ...agent.childEnvironment(process.env), ...env },
    extendEnv: false,
    input: prompt,
    encoding: "buffer",
    reject: false,
  })
  return play(
    linesOf([run.stdout]),
    exited(run.exitCode ?? null, new TextDecoder().decode(run.stderr)),
    resume,
  )
}

describe("the adapter on the rehearsal program", () => {
  it("says its version, and needs no key", async () => {
    expect(await rehearsal().status({ PATH: "/bin" })).toMatchObject({
      installed: true,
      binary: process.execPath,
      obstacle: null,
    })
  })

  it.each([
    ["st-01", "ABC"],
    ["st-01-whole-turn", "ABC"],
    ["st-13", "Hello."],
    ["st-14", "Hello."],
    ["st-20", "Hello."],
    ["x4", "Done."],
  ])("streams once what the reply is: %s", async (scenario, text) => {
    const { blocks, conclusion } = await turn({ scenario })
    expect(blocks.join("")).toBe(text)
    expect(conclusion).toMatchObject({ text, verdict: { outcome: "succeeded" } })
  })

  it.each([
    ["not-logged-in", "AUTH_REQUIRED"],
    ["au-03", "AUTH_EXPIRED"],
    ["untrusted-exit-0", "WORKSPACE_UNTRUSTED"],
    ["rate-limit-exit-0", "SERVICE_EXHAUSTED"],
    ["config-race", "CONFIG_RACE"],
    ["quota-free", "QUOTA_EXHAUSTED"],
    ["st-17-error", "REQUEST_TIMED_OUT"],
    ["x2", "NO_OUTPUT"],
  ])("names the failure: %s", async (scenario, code) => {
    expect((await turn({ scenario })).conclusion.verdict).toMatchObject({
      outcome: "failed",
      failure: { code },
    })
  })

  it("sends the prompt on stdin only, and writes a journal without a key", async () => {
    const journal = join(root, "journal")
    await turn({ journal }, "Secret prompt")
    const [started, prompt] = readJournal(journal)
    expect(prompt).toMatchObject({ event: "prompt", from: "stdin", bytes: 13 })
    expect(JSON.stringify(started)).not.toContain("Secret")
    expect(started).toHaveProperty("environment", expect.not.arrayContaining(["CURSOR_API_KEY"]))
  })

  it("RS-01 finds the conversation of a turn, for this folder and this configuration", async () => {
    const { state } = await turn({})
    const resume = state.conversation ?? ""
    const agent = rehearsal()
    expect(await agent.hasConversation({ ...request(), resume }, {})).toBe("yes")
    expect(await agent.hasConversation({ ...request(), resume, cwd: root }, {})).toBe("no")
    expect(await agent.hasConversation({ ...request(), resume, configDir: root }, {})).toBe("unknown")
    expect((await turn({}, "Again.", resume)).conclusion.notices).toEqual([])
  })
})
