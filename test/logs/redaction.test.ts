/** What a line may tell of a failure, and how values are kept out of it: the parts on their own. */
import { Cause } from "effect"
import fc from "fast-check"
import pino from "pino"
import { describe, expect, it } from "vitest"
import { rehearsal } from "../../adapters/agents/index.ts"
import { failuresOf } from "../../effects/host/log-failures.ts"
import { scrubber, secretPaths } from "../../effects/host/log-secrets.ts"
import { runFolderError } from "../../effects/run-folder/errors.ts"
import { CommandConflict } from "../../store/errors.ts"

const keyed = (...secretVariables: string[]) => [{ ...rehearsal(), secretVariables }]

describe("a failure in a log line", () => {
  it("is told in our words where they are ours", () => {
    const full = runFolderError("prepare", "t1.1", Object.assign(new Error("prose"), { code: "ENOSPC" }))
    expect(failuresOf(Cause.fail(full))).toMatchObject([
      { error: "RunFolderError", code: "NO_SPACE", retryable: true, message: full.message },
    ])
    expect(failuresOf(Cause.die(new CommandConflict("order-1")))).toMatchObject([
      { error: "CommandConflict", code: "COMMAND_CONFLICT", message: expect.stringContaining("order-1") },
    ])
  })

  it("I4 of anybody else has no word of its message, whatever the message looks like", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 40 }),
        fc.constantFrom("", "\n    at "),
        (text, lead) => {
          const message = `secretword${text}${lead}secretword${text}`
          const cause = new SyntaxError(message, { cause: message })
          const error = Object.assign(new TypeError(message, { cause }), {
            code: message,
            retryable: message,
          })
          const [told, ...more] = failuresOf(Cause.die(error))
          expect(more).toEqual([])
          expect(told).toMatchObject({
            error: "TypeError",
            cause: { error: "SyntaxError", cause: { error: "string" } },
          })
          expect(JSON.stringify(told)).not.toContain("secretword")
        },
      ),
    )
  })

  it("leads to the place, through a few causes and no more", () => {
    const circle = new Error("round and round")
    circle.cause = circle
    const [told] = failuresOf(Cause.die(circle))
    expect(told?.at?.[0]).toContain("redaction.test.ts")
    expect(JSON.stringify(told).match(/"error"/g)).toHaveLength(4)
  })

  it("an interruption is none", () => {
    expect(failuresOf(Cause.interrupt())).toEqual([])
  })
})

describe("a secret variable", () => {
  it("its value is in no text, at any depth, whole and without its white space", () => {
    const scrub = scrubber(keyed("A_KEY", "B_KEY"), { A_KEY: "abcd", B_KEY: " abcdef\n", OTHER: "seen" })
    expect(scrub({ say: "x abcdef y", deep: [{ abcd: "seen abcd abcd", n: 1, none: null }] })).toEqual({
      say: "x [redacted] y",
      deep: [{ "[redacted]": "seen [redacted] [redacted]", n: 1, none: null }],
    })
  })

  it("one that the adapter sets itself counts too; an empty or tiny one is not looked for", () => {
    const [agent] = keyed("A_KEY", "B_KEY")
    if (agent === undefined) throw new Error("no agent")
    const own = { ...agent, childEnvironment: () => ({ A_KEY: "set by the adapter" }) }
    const scrub = scrubber([own], { A_KEY: "", B_KEY: "a" })
    expect(scrub("set by the adapter: a banana")).toBe("[redacted]: a banana")
  })

  it("a value of its name is never written, even where it is too short to be looked for", () => {
    const written: string[] = []
    const redact = { paths: secretPaths(keyed("A_KEY", "odd-name")), censor: "[redacted]" }
    pino({ redact }, { write: (line: string) => void written.push(line) }).info({
      A_KEY: "zq",
      env: { A_KEY: "zq", "odd-name": "zq", B: "seen" },
    })
    expect(written.join("")).not.toContain("zq")
    expect(written.join("")).toContain("seen")
  })
})
