/** Bad input: a code and the next step, the right exit code, and nothing made or lost. */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { makePlace, rehearse } from "./harness.ts"
import { ofType } from "./lines.ts"

// Where these refusals are made does not matter to them, so most need no process of their own.
afterEach(() => void vi.unstubAllEnvs())

const run = (...more: readonly string[]) => ["run", "--json", ...more]

describe("what cannot work is refused before anything is made", () => {
  it.each([
    ["a verb that is none", ["frobnicate", "--json"], 2, "USAGE"],
    ["no verb", ["--json"], 2, "USAGE"],
    ["a flag that is none", run("--nope", "hi"), 2, "USAGE"],
    ["a prompt without quotes", run("fix", "it"), 2, "USAGE"],
    ["an agent that is none", run("--agent", "nobody", "hi"), 2, "USAGE"],
    ["a duration that is none", run("--idle", "soon", "hi"), 2, "USAGE"],
    ["an empty prompt", run("--agent", "rehearsal", " \n"), 2, "PROMPT_EMPTY"],
    ["no such folder", run("--agent", "rehearsal", "--cwd", "nowhere", "hi"), 2, "CWD_MISSING"],
    ["a model that is none", run("--agent", "rehearsal", "--model", "-x", "hi"), 2, "MODEL_INVALID"],
    [
      "a program for an agent that has its own",
      run("--agent", "rehearsal", "--bin", "/x", "hi"),
      2,
      "USAGE_BIN",
    ],
    ["no key", run("hi"), 5, "KEY_MISSING"],
  ])("%s", async (_, words, code, problem) => {
    const place = makePlace()
    for (const name of ["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN"]) vi.stubEnv(name, "")
    const answer = await place.ask(...words)
    expect(answer.code).toBe(code)
    expect(answer.lines).toEqual([
      { type: "error", code: problem, message: expect.stringMatching(/[.)]$/), retryable: false },
    ])
    expect(existsSync(place.home)).toBe(false)
  })

  it.each([
    ["no program", "/nowhere/cursor-agent", "BINARY_NOT_FOUND"],
    ["a program that may not be executed", "plain.txt", "BINARY_NOT_EXECUTABLE"],
  ])("%s", async (_, binary, problem) => {
    const place = makePlace()
    const path = join(place.worktree, binary)
    if (!binary.startsWith("/")) writeFileSync(path, "text")
    vi.stubEnv("CURSOR_API_KEY", "key_of_nobody")
    vi.stubEnv("HOLDFAST_CURSOR_BIN", binary.startsWith("/") ? binary : path)
    const answer = await place.ask(...run("hi"))
    expect(answer.lines[0]).toMatchObject({ type: "error", code: problem })
    expect(answer.code).toBe(2)
    expect(existsSync(place.home)).toBe(false)
  })

  it("a prompt of ten megabytes", async () => {
    const place = makePlace()
    const ended = await place.run(rehearse("s"), { input: Buffer.alloc(10_000_000, "a") })
    expect(ofType(ended.lines(), "error")[0]).toMatchObject({ code: "PROMPT_TOO_LARGE" })
    expect(ended.code).toBe(2)
  })
})

describe("a session or turn that is not there", () => {
  it("ends with 4, whatever is asked of it; an id that is taken, or none, ends with 2", async () => {
    const place = makePlace()
    await place.run(rehearse("s", "Hello."), { scenario: "st-17" })
    const unknown = await Promise.all([
      place.ask("send", "nobody", "hi", "--json"),
      place.ask("watch", "nobody", "--json"),
      place.ask("watch", "s", "--turn", "none", "--json"),
      place.ask("interrupt", "s", "--turn", "none", "--json"),
      place.ask("log", "nobody", "--json"),
    ])
    const codes = unknown.map(({ code, lines }) => [code, lines.at(-1)?.code])
    expect(codes).toEqual([
      [4, "SESSION_UNKNOWN"],
      [4, "SESSION_UNKNOWN"],
      [4, "TURN_UNKNOWN"],
      [4, "TURN_UNKNOWN"],
      [4, "SESSION_UNKNOWN"],
    ])

    const words = ["run", "--agent", "rehearsal", "--json", "--cwd", place.worktree, "--session"]
    const refusals = [
      await place.ask(...words, "s", "Hello."),
      await place.ask("watch", "s", "--json", "--after", "somewhere"),
      await place.ask(...words, "../s", "Hello."),
    ]
    expect(refusals.map(({ code, lines }) => [code, lines.at(-1)?.code])).toEqual([
      [2, "SESSION_EXISTS"],
      [2, "CURSOR_INVALID"],
      [2, "SESSION_ID_INVALID"],
    ])
  })
})

it("for a person an error is a line or two on stderr, without colours where there is no terminal", async () => {
  const place = makePlace()
  const ended = await place.run(["run", "--agent", "rehearsal", ""])
  expect(ended).toMatchObject({ code: 2, stdout: "" })
  expect(ended.stderr).toBe("PROMPT_EMPTY: The prompt is empty. Say what is to be done.\n")
})
