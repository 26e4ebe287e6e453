import { describe, expect, it } from "vitest"
import { delta, exited, flush, init, last, line, play, result, session, tool, usage } from "./support.ts"

const denied = (call: string) =>
  tool("completed", call, { shellToolCall: { args: {}, result: { rejected: { reason: "no" } } } })

describe("a run with its result", () => {
  it("I10 is a success, however the process ended", () => {
    for (const ending of [exited(0), exited(1, "Error: [resource_exhausted]"), exited(137), exited(null)]) {
      expect(play([init(), delta("a"), result("a")], ending).conclusion).toMatchObject({
        text: "a",
        explanation: null,
        verdict: { outcome: "succeeded", degraded: null, conversation: "reusable" },
      })
    }
  })

  it("has the text of the result, whatever was streamed", () => {
    expect(play([delta("a"), delta("a"), result("ab")]).conclusion.text).toBe("ab")
    expect(play([delta("a"), result("  ")]).conclusion.text).toBe("a")
  })

  it("ST-16 is marked when it says nothing", () => {
    const { verdict, text } = play([init(), line("user"), result("")]).conclusion
    expect(text).toBe("")
    expect(verdict).toMatchObject({ outcome: "succeeded", emptyReply: true, failure: null })
  })

  it("PL-15 counts what was refused to the agent", () => {
    const { verdict, notices } = play([
      init(),
      denied("a"),
      denied("b"),
      result("I was not allowed"),
    ]).conclusion
    expect(verdict).toMatchObject({ outcome: "succeeded", deniedTools: 2 })
    expect(notices).toEqual([{ type: "notice", code: "toolsDenied", count: 2 }])
  })

  it("FB-05 is never judged by what the model says", () => {
    const text = "I added a retry for 429 and 401 unauthorized, see resource_exhausted and usage limit."
    const { conclusion } = play([init(), delta(text), result(text)], exited(0, "took 14290ms, 429 tokens\n"))
    expect(conclusion.verdict).toMatchObject({ outcome: "succeeded", degraded: null })
  })

  it("tells that it went on with another conversation than it was asked to", () => {
    const other = play([init(), result("a")], exited(0), "11111111-1111-4111-8111-111111111111")
    expect(other.conclusion.notices).toEqual([{ type: "notice", code: "historyLost", count: 1 }])
    expect(play([init(), result("a")], exited(0), session).conclusion.notices).toEqual([])
  })
})

describe("a result that is an error", () => {
  const error = (text: string, fields = {}) => result(text, { is_error: true, ...fields })

  it("degrades a success when a reply came with it", () => {
    const { conclusion } = play([init(), delta("The fix is in."), error("Request timed out")])
    expect(conclusion).toMatchObject({
      text: "The fix is in.",
      verdict: { outcome: "succeeded", degraded: "network", failure: null, usage },
    })
  })

  it("degrades a success when the reply is the result and the error a field of its own", () => {
    const { conclusion } = play([
      error("The fix is in.", { subtype: "error", error: { message: "429 Too many requests" } }),
    ])
    expect(conclusion).toMatchObject({ text: "The fix is in.", verdict: { degraded: "rateLimited" } })
  })

  it("degrades a success when the result repeats a reply that was streamed in many pieces", () => {
    const { conclusion } = play([delta("Fixed "), delta("it."), error("Fixed it.")])
    expect(conclusion).toMatchObject({
      text: "Fixed it.",
      verdict: { outcome: "succeeded", degraded: "agent" },
    })
    expect(conclusion.explanation).not.toContain("Fixed")
  })

  it("ST-17 stands when nothing else was said, whatever the exit", () => {
    const { conclusion } = play([init(), error("Request timed out")], exited(0))
    expect(conclusion).toMatchObject({
      text: "",
      verdict: {
        outcome: "failed",
        failure: { kind: "network", code: "REQUEST_TIMED_OUT" },
        emptyReply: false,
      },
    })
  })

  it("stands when only tools came with it", () => {
    const { verdict } = play([init(), denied("a"), error("Something odd")]).conclusion
    expect(verdict).toMatchObject({ outcome: "failed", failure: { kind: "agent", code: "AGENT_ERROR" } })
  })

  it.each([
    ["one piece", [delta("Something odd happened")], "Something odd happened"],
    ["a whole segment", [last("API Error: Something odd")], "Something odd"],
    [
      "pieces that the table knows",
      [delta("You've hit your "), delta("usage limit")],
      "You've hit your usage limit",
    ],
  ])("I31 stands when the CLI showed it as a reply: %s", (_, lines, text) => {
    expect(play([...lines, error(text)]).conclusion).toMatchObject({
      text: "",
      verdict: { outcome: "failed" },
    })
  })

  it("CU-03 keeps the usage that came with it", () => {
    expect(play([error("You've hit your usage limit")]).conclusion.verdict).toMatchObject({
      failure: { kind: "quota", retryable: true },
      usage,
    })
  })

  it("explains itself without secrets, in one line", () => {
    const { explanation } = play([error("Odd: ada@example.com\nuses key_0123456789abcdef0123")]).conclusion
    expect(explanation).toBe("The agent reported: Odd: [redacted]")
  })
})

describe("a run without a result", () => {
  const failure = (lines: readonly string[], ending = exited(1)) =>
    play(lines, ending).conclusion.verdict.failure

  it("X2 that ended well and printed nothing has failed", () => {
    expect(failure([], exited(0))).toEqual({ kind: "noOutput", code: "NO_OUTPUT", retryable: true })
  })

  it("ST-19 that only spoke to stderr has printed nothing", () => {
    const { conclusion, types } = play(
      [],
      exited(0, `${init()}\n${delta("429 unauthorized")}\n${result("hi")}\n`),
    )
    expect(types).toEqual([])
    expect(conclusion).toMatchObject({
      text: "",
      verdict: { outcome: "failed", failure: { code: "NO_OUTPUT" } },
    })
    expect(conclusion.explanation).toContain("stderr")
  })

  it("ST-19 is not judged by protocol that is mirrored on stderr, whole or torn", () => {
    const mirrored = `st of 401 unauthorized"}]}}\n${delta("usage limit")}\n`.repeat(700)
    expect(failure([init()], exited(1, mirrored))).toMatchObject({ code: "AGENT_EXITED" })
  })

  it("salvages plain text of an agent that never spoke the protocol", () => {
    const { conclusion } = play(["\x1b[1mThe answer\x1b[0m is:", "", "  42", ""])
    expect(conclusion).toMatchObject({
      text: "The answer is:\n\n  42",
      verdict: { outcome: "succeeded", usage: null },
    })
  })

  it("salvages plain text of an agent that gave the protocol up", () => {
    expect(play(["Using worktree: /x", init(), line("user"), "The answer is 42"]).conclusion.text).toBe(
      "The answer is 42",
    )
    expect(play([init(), delta("I look. "), "It is 42"]).conclusion.text).toBe("I look.\n\nIt is 42")
    expect(play([init(), delta("It is"), "It is 42"]).conclusion.text).toBe("It is 42")
  })

  it("salvages a long text that speaks of limits, and no refusal among it", () => {
    const answer = `The service answers 429 when the rate limit is hit.\n${"More of it. ".repeat(300)}`
    expect(play([answer]).conclusion.verdict.outcome).toBe("succeeded")
    expect(failure([answer, "Error: 429 rate limit"], exited(0))).toMatchObject({ kind: "rateLimited" })
  })

  it.each([
    ["T: [resource_exhausted] Error", { kind: "overloaded", retryable: true }],
    [
      "Workspace Trust Required\n\nDo you trust the contents of this directory?",
      { code: "WORKSPACE_UNTRUSTED" },
    ],
    ["Error: Authentication required. Please run 'agent login' first", { kind: "auth" }],
  ])("WT-04 never takes a refusal for a reply, although it ended well: %s", (text, expected) => {
    expect(failure(text.split("\n"), exited(0))).toMatchObject(expected)
    expect(failure([init(), ...text.split("\n")], exited(0))).toMatchObject(expected)
    expect(failure([], exited(0, text))).toMatchObject(expected)
  })

  it("ST-14 never takes a banner for a reply", () => {
    const banners = ["A new version is available: 2026.10.01-abcdef0", "", "Using worktree: /x"]
    expect(failure(banners, exited(0))).toMatchObject({ code: "NO_OUTPUT" })
  })

  it("is a degraded success when the flush that ends a turn was there", () => {
    const { verdict, text } = play([init(), delta("All of it."), last("All of it.")]).conclusion
    expect(text).toBe("All of it.")
    expect(verdict).toMatchObject({ outcome: "succeeded", degraded: "crashed" })
  })

  it("keeps the text so far when it broke off", () => {
    expect(play([init(), delta("Half"), flush("Half")]).conclusion).toMatchObject({
      text: "Half",
      verdict: { outcome: "failed", failure: { kind: "crashed", code: "RESULT_MISSING" } },
    })
  })

  it.each([
    [137, "crashed", "AGENT_KILLED"],
    [143, "crashed", "AGENT_KILLED"],
    [null, "crashed", "EXIT_UNKNOWN"],
    [3, "crashed", "AGENT_EXITED"],
  ])("says how it ended: %s", (status, kind, code) => {
    expect(failure([init(), delta("Half")], exited(status))).toEqual({ kind, code, retryable: false })
  })

  it("says what it said last, redacted and short", () => {
    const stderr = `\x1b[31mBoom for ada@example.com token=abcdef0123456789 ${"x".repeat(999)}\x1b[0m`
    const { explanation, verdict } = play([init()], exited(1, stderr)).conclusion
    expect(verdict.failure).toMatchObject({ kind: "agent", code: "AGENT_EXITED" })
    expect(explanation).toMatch(/^The agent exited with 1: Boom for \[redacted\] token=\[redacted\] x+…$/)
    expect(explanation?.length).toBeLessThan(300)
  })
})

describe("usage", () => {
  const reported = (value: unknown) => play([result("a", { usage: value })])

  it.each([undefined, null, {}, [], "12", { inputTokens: null }, { inputTokens: "12", outputTokens: -1 }])(
    "CU-01 is unknown, never 0: %j",
    value => {
      const { conclusion, types } = reported(value)
      expect(conclusion.verdict.usage).toBeNull()
      expect(types).not.toContain("usage.reported")
    },
  )

  it("CU-01 keeps the counts it knows, zeros too, and ignores new ones", () => {
    const known = { inputTokens: 0, outputTokens: 1.5, cacheReadTokens: -1, reasoningTokens: 9 }
    expect(reported(known).conclusion.verdict.usage).toEqual({
      inputTokens: 0,
      outputTokens: null,
      cacheReadTokens: null,
      cacheWriteTokens: null,
    })
  })
})
