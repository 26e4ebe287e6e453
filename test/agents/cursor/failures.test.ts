import { describe, expect, it } from "vitest"
import { classify } from "../../../adapters/agents/common/failures/classify.ts"
import { excerpt, redact } from "../../../adapters/agents/common/failures/redact.ts"
import { cursorFailures } from "../../../adapters/agents/cursor/failures/table.ts"
import { cursorTranslator } from "../../../adapters/agents/cursor/stream/translator.ts"
import { failure as failureSchema } from "../../../machines/words.ts"
import { exited } from "./support.ts"

const judge = (text: string) => classify(text, cursorFailures)
const code = (text: string) => judge(text)?.failure.code ?? null

describe("the failure table", () => {
  it.each([
    [
      "AU-02",
      "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY environment variable.",
      "AUTH_REQUIRED",
    ],
    ["AU-02", "Error: Authentication required. Please run 'cursor-agent login' first.", "AUTH_REQUIRED"],
    ["AU-02", "\x1b[33m⚠ Warning: The provided API key is invalid.\x1b[0m\nPlease check", "AUTH_KEY_INVALID"],
    ["AU-03", "Your session has expired.", "AUTH_EXPIRED"],
    ["AU-03", "The token could not be refreshed", "AUTH_EXPIRED"],
    ["AU-03", "Request failed with status code 401", "AUTH_REQUIRED"],
    ["AU-03", "Error: 401", "AUTH_REQUIRED"],
    ["AU-04", "Error: the macOS keychain is locked", "AUTH_KEYCHAIN_LOCKED"],
    ["FB-02", "ConnectError: [resource_exhausted] Error", "SERVICE_EXHAUSTED"],
    ["FB-02", "RetriableError: [resource_exhausted] Error\nError: read ECONNRESET", "SERVICE_EXHAUSTED"],
    ["FB-02", "T: [resource_exhausted] You've hit your usage limit", "QUOTA_EXHAUSTED"],
    ["FB-02", "ConnectError: [resource_exhausted] rate limit exceeded", "RATE_LIMITED"],
    ["FB-05", "HTTP/1.1 429", "RATE_LIMITED"],
    ["FB-05", "429: Too many requests", "RATE_LIMITED"],
    ["FB-07", "Cannot use this model: gpt-9. Available models: auto, b", "MODEL_UNKNOWN"],
    [
      "a.10",
      "ActionRequiredError: Named models unavailable Free plans can only use Auto.",
      "MODEL_NOT_IN_PLAN",
    ],
    ["a.10", "ActionRequiredError: You've hit your usage limit Get Cursor Pro", "QUOTA_EXHAUSTED"],
    ["a.10", "ActionRequiredError: Please accept the terms", "ACTION_REQUIRED"],
    ["a.10", "ConnectError: [unavailable] Error", "NETWORK_UNREACHABLE"],
    ["a.10", "Connection failed. Check your internet connection.", "NETWORK_UNREACHABLE"],
    ["a.10", "Prompt is too long", "CONTEXT_TOO_LONG"],
    ["a.10", "the context length was exceeded", "CONTEXT_TOO_LONG"],
    ["a.10", "Aborting operation...", "AGENT_ABORTED"],
    [
      "WT-04",
      "⚠ Workspace Trust Required\n\nDo you trust the contents of this directory?",
      "WORKSPACE_UNTRUSTED",
    ],
    [
      "CF-01",
      "Error: ENOENT: no such file or directory, rename '/h/.cursor/cli-config.json.tmp' -> '/h/.cursor/cli-config.json'",
      "CONFIG_RACE",
    ],
    [
      "CF-01",
      "Error: EPERM: operation not permitted, rename 'C:\\u\\.cursor\\cli-config.json.12.ab.tmp' -> 'C:\\u\\x'",
      "CONFIG_RACE",
    ],
    [
      "RS-02",
      'Failed to claim persistent session for chat "x": Persistent-session chat ID must be a UUID',
      "RESUME_LOST",
    ],
    ["RS-02", "No conversation found with session ID: abc", "RESUME_LOST"],
    ["RS-02", "chat not found", "RESUME_LOST"],
    [
      "PL-17",
      "Chat abc may still be running, but Cursor could not verify its persistent session: Persistent chat ownership is currently changing for abc",
      "CONVERSATION_BUSY",
    ],
  ])("%s knows %j", (_case, text, expected) => {
    expect(code(text)).toBe(expected)
  })

  it.each([
    "took 14290ms",
    "429 ms for 4290 tokens, id a429b, $4.29, v1.429",
    "unauthorizedly",
    "session expiredness",
    "Compiled 401 modules",
    "status: 4290, code 429ms, error 401.5",
    "(node:12) ExperimentalWarning: SQLite",
    "",
    "\x1b[0m \n",
  ])("FB-05 makes nothing of %j", text => {
    expect(code(text)).toBeNull()
  })

  it("is well formed: each code once, each failure fit for the log, each sentence ours", () => {
    const codes = cursorFailures.map(rule => rule.failure.code)
    expect(new Set(codes).size).toBe(codes.length)
    for (const { failure, explanation } of cursorFailures) {
      expect(failureSchema.safeParse(failure).success).toBe(true)
      expect(explanation).toMatch(/^[^\n]{20,160}\.$/)
    }
  })

  it("RS-02 breaks the conversation, PL-17 does not", () => {
    expect(judge("chat not found")?.breaksConversation).toBe(true)
    expect(judge("Persistent chat ownership is currently changing")?.breaksConversation).toBe(false)
  })

  it("FB-07 shows a few ids of a list of hundreds", () => {
    const ids = Array.from({ length: 250 }, (_, n) => `model-${n}`).join(", ")
    const { explanation, failure } = judge(`Cannot use this model: x. Available models: ${ids}`) ?? {}
    expect(failure).toMatchObject({ kind: "config", retryable: false })
    expect(explanation).toContain("For example: model-0, model-1, model-2, model-3, model-4, ….")
    expect(explanation?.length).toBeLessThan(300)
  })

  it("says when limits are reset", () => {
    const text =
      "You've hit your usage limit. Your usage limits will reset when your monthly cycle ends on 3/14/2027."
    expect(judge(text)?.explanation).toContain("3/14/2027")
  })

  it.each([
    ["429 Too many requests, retry-after: 30", 30_000],
    ["[resource_exhausted] please try again in 5 minutes.", 300_000],
    ["rate limit; retry after 1.5s", 1500],
    ["rate limit; retry after 250 ms", 250],
    ["rate limit; retry-after: 9999999", undefined],
    ["usage limit; try again in 99 hours", 86_400_000],
    ["rate limit; try again in May", undefined],
    ["Not logged in, try again in 5 minutes", undefined],
  ])("FB-02 reads how long to wait: %s", (text, expected) => {
    expect(judge(text)?.retryAfterMs).toBe(expected)
  })

  it("FB-04 is asked after the rows of a host", () => {
    const failure = { kind: "quota", code: "TEAM_BUDGET", retryable: false } as const
    const explanation = "The team's budget is used up."
    for (const when of ["team_budget", /TEAM_BUDGET \d+/gy]) {
      const translator = cursorTranslator([{ when: [when], failure, explanation }, ...cursorFailures])
      const conclude = () =>
        translator.conclude(
          translator.initial({ resume: null, usageBefore: null }),
          exited(1, "team_budget 12, rate limit"),
        )
      expect(conclude().verdict.failure).toEqual(failure)
      expect(conclude()).toEqual(conclude())
    }
  })
})

describe("AU-05 redaction", () => {
  it.each([
    "ada.lovelace+test@mail.example.co.uk",
    "key_9f8e7d6c5b4a39281706",
    "sk-proj-abcdefghijklmnop1234",
    "crsr_0123456789abcdefghij",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "deadbeefdeadbeefdeadbeefdeadbeef0",
  ])("takes out %s", secret => {
    expect(redact(`before ${secret} after`)).toBe("before [redacted] after")
  })

  it.each([
    ["Authorization: Bearer abc.def-ghi", "abc.def-ghi"],
    ["CURSOR_API_KEY=hunter2 set", "hunter2"],
    ['"accessToken": "hunter2"', "hunter2"],
    ["https://ada:hunter2@example.com/x", "hunter2"],
  ])("takes the secret out of %s", (text, secret) => {
    expect(redact(text)).not.toContain(secret)
  })

  it("leaves what a person needs", () => {
    const text = `Chat 3f0c6f0e-8f6f-4a5e-9d34-0d7f3a1b2c4d in /home/work, HTTP 429, model claude-opus-5-thinking-high`
    expect(redact(text)).toBe(text)
  })

  it("is done before a text is cut, so that half a key is none", () => {
    expect(excerpt(`${"x ".repeat(115)}sk-abcdefghijklmnopqrstuvwxyz0123456789`)).not.toContain("sk-a")
  })
})
