/** How a Codex run ended: terminal lines, exits, the failure table, and what of a total is this run's. */
import { describe, expect, it } from "vitest"
import { began, completed, error, exited, failed, message, play, shell, thread, used } from "./support.ts"

const verdictOf = (...played: Parameters<typeof play>) => play(...played).verdict

describe("how a Codex run ends", () => {
  it("whatever the exit, the terminal line stands", () => {
    for (const status of [0, 1, 137, null])
      expect(verdictOf([...began, message(0, "Done."), completed()], exited(status, "429"))).toMatchObject({
        outcome: "succeeded",
        degraded: null,
      })
  })

  it.each([
    ["unexpected status 401 Unauthorized: no, url: http://127.0.0.1:1/v1/responses", "auth", "AUTH_REQUIRED"],
    ["unexpected status 403 Forbidden: no", "auth", "ACCESS_DENIED"],
    ["Missing environment variable: `MY_KEY`.", "auth", "KEY_MISSING"],
    ["Your access token could not be refreshed.", "auth", "AUTH_EXPIRED"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "rateLimited", "RATE_LIMITED"],
    ["You've hit your usage limit. Try again in 3 days.", "quota", "QUOTA_EXHAUSTED"],
    ["Quota exceeded. Check your plan and billing details.", "quota", "QUOTA_EXHAUSTED"],
    [
      "We\u2019re currently experiencing high demand, which may cause temporary errors.",
      "overloaded",
      "SERVICE_OVERLOADED",
    ],
    ["unexpected status 503 Service Unavailable: later", "overloaded", "SERVICE_OVERLOADED"],
    ["Selected model is at capacity. Please try a different model.", "overloaded", "MODEL_AT_CAPACITY"],
    ["stream disconnected before completion: idle timeout waiting for SSE", "network", "STREAM_LOST"],
    [
      "stream disconnected before completion: stream closed before response.completed",
      "network",
      "STREAM_LOST",
    ],
    ["Connection failed: error sending request", "network", "NETWORK_UNREACHABLE"],
    ["unexpected status 404 Not Found: no such route", "config", "REQUEST_REJECTED"],
    ['{"error":{"message":"bad tool schema","type":"odd"}}', "config", "REQUEST_REJECTED"],
    ['{"error":{"message":"gone","code":"model_not_found"}}', "config", "MODEL_UNKNOWN"],
    [
      "Codex ran out of room in the model's context window. Start a new thread.",
      "context",
      "CONTEXT_TOO_LONG",
    ],
    ["something that nobody has seen", "agent", "AGENT_ERROR"],
  ])("knows %j", (words, kind, code) => {
    const { verdict, conclusion } = play([...began, error(words), failed(words)], exited(1))
    expect(verdict).toMatchObject({ outcome: "failed", failure: { kind, code } })
    expect(conclusion.explanation).toMatch(/\S/)
  })

  it("quotes the service's own words of a request that it refused, and not the JSON around them", () => {
    const { conclusion } = play([...began, failed('{"error":{"message":"bad tool schema"}}')], exited(1))
    expect(conclusion.explanation).toBe("The agent reported: bad tool schema")
  })

  it("FB-05 a reply that speaks of limits and logins is a reply", () => {
    const text = "The API answered 429 rate limit, then 401 Unauthorized."
    expect(verdictOf([...began, message(0, text), completed()])).toMatchObject({ outcome: "succeeded" })
  })

  it("I10 a turn that failed behind a whole message has failed, since a tool call may be missing, and keeps it", () => {
    const lines = [...began, message(0, "I look at it."), failed("stream disconnected before completion")]
    const { conclusion, verdict } = play(lines, exited(1))
    expect(verdict).toMatchObject({ outcome: "failed", failure: { kind: "network" } })
    expect(conclusion.text).toBe("I look at it.")
  })

  it("I10 an exit that is good behind a whole message makes it the answer", () => {
    const { conclusion, verdict } = play([...began, message(0, "It was the cache.")], exited(0))
    expect(verdict).toMatchObject({ outcome: "succeeded", degraded: "crashed", failure: null })
    expect(conclusion.text).toBe("It was the cache.")
  })

  it("a failure after a tool is a failure, with what was said before", () => {
    const lines = [...began, message(0, "I look."), shell(1, "ls", null), shell(1, "ls", 0), failed("500")]
    const { conclusion, verdict } = play(lines, exited(1))
    expect(verdict.outcome).toBe("failed")
    expect(conclusion.text).toBe("I look.")
  })

  it("an end that nobody announced is named by exit code or signal", () => {
    const code = (status: number | null, stderr = "") =>
      verdictOf([...began, shell(0, "ls", null)], exited(status, stderr)).failure?.code
    expect(code(1)).toBe("AGENT_EXITED")
    expect(code(143)).toBe("AGENT_KILLED")
    expect(code(null)).toBe("EXIT_UNKNOWN")
    expect(code(0)).toBe("RESULT_MISSING")
    expect(verdictOf([], exited(0)).failure?.code).toBe("NO_OUTPUT")
  })

  it("what it last complained of is why it ended without a word", () => {
    const waiting = error("Reconnecting... waiting for network (Connection failed: error sending request)")
    expect(verdictOf([...began, waiting], exited(1)).failure).toMatchObject({ kind: "network" })
  })

  it("RS-02 a conversation that is gone is told by stderr alone, and cannot be resumed", () => {
    const stderr = `WARNING: something\nError: thread/resume failed: no rollout found for thread id ${thread} (code -32600)\n`
    expect(verdictOf([], exited(1, stderr))).toMatchObject({
      failure: { kind: "resumeLost" },
      conversation: "broken",
    })
    const busy = `Error: thread/resume failed: thread ${thread} already has an active writer (code -32600)`
    expect(verdictOf([], exited(1, busy))).toMatchObject({
      failure: { kind: "busy" },
      conversation: "reusable",
    })
  })

  it("RS-03 another conversation than the one asked for is told", () => {
    const start = { resume: "01a0f3c2-0000-7c55-9a01-5f1d2c3b4a69", usageBefore: null }
    const { conclusion } = play([...began, message(0, "Hi"), completed()], exited(0), start)
    expect(conclusion.notices).toContainEqual({ type: "notice", code: "historyLost", count: 1 })
  })

  it("an id that could not be resumed is not kept", () => {
    const { events, verdict } = play(['{"type":"thread.started","thread_id":"my-thread"}', completed()])
    expect(events.map(event => event.type)).not.toContain("run.identified")
    expect(verdict.unknownLines).toBe(1)
  })

  it("refusals that only stderr tells are counted", () => {
    const at = "2026-11-30T10:00:00Z ERROR codex_core::tools::router: error="
    const stderr = `${at}patch rejected: writing outside of the project; rejected by user approval settings\n${at}unsupported call: update_plan\n`
    const { verdict, conclusion } = play([...began, message(0, "No."), completed()], exited(0, stderr))
    expect(verdict).toMatchObject({ outcome: "succeeded", deniedTools: 1 })
    expect(conclusion.notices).toContainEqual({ type: "notice", code: "toolsDenied", count: 1 })
  })
})

describe("what a Codex run used", () => {
  const usageOf = (factor: number, resume: string | null, before: ReturnType<typeof used> | null) => {
    const played = play([...began, message(0, "Hi"), completed(factor)], exited(0), {
      resume,
      usageBefore: before,
    })
    const reported = played.events.filter(event => event.type === "usage.reported").map(({ usage }) => usage)
    return { ...played.verdict, reported }
  }

  it("CU-01 is what it says, without overlap, in a conversation of its own", () => {
    expect(usageOf(1, null, null)).toMatchObject({
      usage: used(),
      conversationUsage: used(),
      reported: [used()],
    })
  })
  it("is the difference to what the conversation had used before", () => {
    expect(usageOf(3, thread, used(2))).toMatchObject({
      usage: used(),
      conversationUsage: used(3),
      reported: [used()],
    })
  })
  it("I34 is unknown where that is, or where the total went down", () => {
    expect(usageOf(3, thread, null)).toMatchObject({ usage: null, conversationUsage: used(3), reported: [] })
    expect(usageOf(1, thread, used(2)).usage).toBeNull()
  })
  it("I34 is unknown, and not nothing, where counts are missing", () => {
    const { verdict } = play([...began, '{"type":"turn.completed","usage":{"output_tokens":7}}'])
    expect(verdict.usage).toEqual({
      inputTokens: null,
      outputTokens: 7,
      cacheReadTokens: null,
      cacheWriteTokens: null,
    })
    expect(play([...began, '{"type":"turn.completed"}']).verdict.usage).toBeNull()
  })
})
