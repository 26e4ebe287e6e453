/** What a turn's outcome does to the exit code, on the real command with the agent's own failures. */
import { describe, expect, it } from "vitest"
import { exitOfResult } from "../../adapters/cli/exit-codes.ts"
import { failureKind } from "../../machines/words.ts"
import { makePlace, rehearse } from "./harness.ts"
import { ofType } from "./lines.ts"

describe("run ends with the code of its outcome", () => {
  it.each([
    ["st-17", 0, "succeeded", null],
    ["crash", 1, "failed", "crashed"],
    ["pl-03", 3, "failed", "timedOut"],
    ["not-logged-in", 5, "failed", "auth"],
    ["rate-limit", 75, "failed", "overloaded"],
  ])("%s: %i", async (scenario, code, outcome, kind) => {
    const place = makePlace()
    const limit = outcome === "failed" && kind === "timedOut" ? ["--idle", "500ms"] : []
    const ended = await place.run(rehearse("s", ...limit, "Do it."), { scenario })
    const [result] = ofType(ended.lines(), "result")
    expect(result).toMatchObject({ outcome, exit: code })
    expect(result?.failure).toEqual(kind === null ? null : expect.objectContaining({ kind }))
    expect(ended.code).toBe(code)
    expect(place.alive()).toEqual([])
  })
})

describe("the table of exit codes", () => {
  const failed = (kind: string) =>
    exitOfResult({
      outcome: "failed",
      failure: { kind: failureKind.parse(kind), code: "ANY", retryable: false },
    })

  it("knows every kind of failure", () => {
    const codes = Object.fromEntries(failureKind.options.map(kind => [kind, failed(kind)]))
    const { auth, timedOut, rateLimited, overloaded, quota, ...rest } = codes
    expect({ auth, timedOut, rateLimited, overloaded, quota }).toEqual({
      auth: 5,
      timedOut: 3,
      rateLimited: 75,
      overloaded: 75,
      quota: 75,
    })
    expect(new Set(Object.values(rest))).toEqual(new Set([1]))
  })

  it("tells an interrupted turn from one whose outcome nobody knows", () => {
    expect(exitOfResult({ outcome: "interrupted", failure: null })).toBe(130)
    expect(exitOfResult({ outcome: "outcomeUnknown", failure: null })).toBe(1)
  })
})
