/** Field cases AU and FB: logins, keys, limits and models. Classified from stderr, told by code, kept out of the log. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { cursor, rehearsal } from "../../adapters/agents/index.ts"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { it, refusal } from "./harness.ts"
import { cursorHost, wrapper } from "./wrapper.ts"

/** Waits until the second prompt is queued, then finds that nobody is logged in any more. */
const expiring: Scenario = {
  turns: [
    {
      steps: [
        { do: "init" },
        { do: "waitForFile", path: "$CWD/holdfast-go" },
        { do: "stderr", text: "Error: Authentication required. Please run 'agent login' first.\n" },
        { do: "exit", code: 1 },
      ],
    },
  ],
}

describe.concurrent("accounts", () => {
  const auth: Readonly<Record<string, string>> = {
    "not-logged-in": "AUTH_REQUIRED",
    "au-02-older": "AUTH_REQUIRED",
    "au-03": "AUTH_EXPIRED",
    "au-03-401": "AUTH_REQUIRED",
    "au-03-refresh": "AUTH_EXPIRED",
    "au-04": "AUTH_KEYCHAIN_LOCKED",
  }
  for (const [scenario, code] of Object.entries(auth))
    it(`AU-02 AU-03 AU-04 ${scenario} is ${code}, and is not tried again`, async ({ place }) => {
      const { result } = await place.play(scenario)
      expect(result).toMatchObject({ outcome: "failed", failure: { kind: "auth", code, retryable: false } })
      expect(result.explanation).toMatch(/log in|CURSOR_API_KEY/)
      expect(place.noted("started")).toHaveLength(1)
    })

  it("AU-03 a login that is over pauses the session's queue, so that waiting prompts are not burned", async ({
    place,
  }) => {
    const host = await place.open({ scenario: expiring })
    const session = await host.launch({ cwd: place.cwd })
    const first = place.send(session, "the first of the prompts")
    const second = place.send(session, "the second of the prompts")
    await second.accepted
    writeFileSync(join(place.cwd, "holdfast-go"), "")
    expect(await place.result(first)).toMatchObject({ outcome: "failed", failure: { kind: "auth" } })
    expect(session.status()).toMatchObject({ state: "paused", currentTurn: null, queued: 1 })
    expect(place.noted("started")).toHaveLength(1)
    await session.interrupt(second.id)
    expect(await place.result(second)).toMatchObject({ outcome: "interrupted" })
  })

  it("AU-02 a CLI that is not logged in and exits with 0 is not ready", async ({ place }) => {
    const binary = wrapper(place, "cursor-agent", "not-logged-in")
    const status = await cursor({ binary, acceptLogin: true }).status(place.env)
    expect(status).toMatchObject({ installed: true, obstacle: { kind: "auth", code: "NOT_LOGGED_IN" } })
  })

  it("AU-05 the key reaches the agent by its environment, and nothing of ours holds it", async ({
    place,
  }) => {
    const key = "key_0123456789abcdef0123456789abcdef"
    const host = await cursorHost(place, wrapper(place, "cursor-agent", "st-17"), {
      CURSOR_API_KEY: ` ${key}\n`,
    })
    const session = await host.launch({ cwd: place.cwd })
    const { result } = await place.take(session, "say hello with a key")
    expect(result.outcome).toBe("succeeded")
    const [started] = place.noted("started")
    expect(started?.environment).toContain("CURSOR_API_KEY")
    expect(started?.argv.join(" ")).not.toContain(key)
    await host.close()
    expect(filesWith(place.home, key)).toEqual([])
  })

  it("AU-05 a key that the agent prints stays in its own spool, out of log, result and message", async ({
    place,
  }) => {
    const key = "key_0123456789abcdef0123456789abcdef"
    place.texts.add(key)
    const host = await cursorHost(place, wrapper(place, "cursor-agent", "au-05"), { CURSOR_API_KEY: key })
    const session = await host.launch({ cwd: place.cwd })
    const { result, events } = await place.take(session, "print the key, agent")
    expect(result.outcome).toBe("failed")
    expect(JSON.stringify([result, events])).not.toContain(key)
    await host.close()
    expect(filesWith(place.home, key)).toEqual([join("runs", `${result.turn}.1`, "stderr")])
  })

  it("AU-05 another agent's key and the marks of nesting are not passed on", async ({ place }) => {
    const host = await cursorHost(place, wrapper(place, "cursor-agent", "st-17"), {
      CURSOR_API_KEY: "key_of_ours",
      ANTHROPIC_API_KEY: "theirs",
      CLAUDECODE: "1",
      CURSOR_AGENT: "1",
    })
    await place.take(await host.launch({ cwd: place.cwd }), "what is in your environment")
    const [started] = place.noted("started")
    for (const name of ["ANTHROPIC_API_KEY", "CLAUDECODE", "CURSOR_AGENT"])
      expect(started?.environment).not.toContain(name)
  })

  for (const [what, key] of [
    ["no key", undefined],
    ["an empty key", ""],
    ["a key of white space", " \n"],
  ] as const)
    it(`AU-05 with ${what} nothing is appended and nothing started`, async ({ place }) => {
      const env = key === undefined ? {} : { CURSOR_API_KEY: key }
      const host = await cursorHost(place, wrapper(place, "cursor-agent", "st-17"), env)
      const session = await host.launch({ cwd: place.cwd })
      const before = place.log().length
      const refused = await refusal(() => session.send("is there a key for me"))
      expect(refused).toMatchObject({ code: "KEY_MISSING", retryable: false })
      expect(refused.message).toContain("CURSOR_API_KEY")
      expect(place.log()).toHaveLength(before)
      expect(place.journal()).toEqual([])
    })
})

describe.concurrent("limits and models", () => {
  const failures: Readonly<Record<string, readonly [string, string, boolean]>> = {
    "fb-02": ["overloaded", "SERVICE_EXHAUSTED", true],
    "fb-02-retriable": ["overloaded", "SERVICE_EXHAUSTED", true],
    "fb-02-minified": ["overloaded", "SERVICE_EXHAUSTED", true],
    "fb-02-reset": ["overloaded", "SERVICE_EXHAUSTED", true],
    "fb-02-quota": ["quota", "QUOTA_EXHAUSTED", true],
    "fb-02-retry-after": ["overloaded", "SERVICE_EXHAUSTED", true],
    "fb-04": ["rateLimited", "RATE_LIMITED", true],
    "rate-limit": ["overloaded", "SERVICE_EXHAUSTED", true],
    "rate-limit-exit-0": ["overloaded", "SERVICE_EXHAUSTED", true],
    "free-plan-late": ["modelUnavailable", "MODEL_NOT_IN_PLAN", true],
    "network-down": ["network", "NETWORK_UNREACHABLE", true],
    "context-overflow": ["context", "CONTEXT_TOO_LONG", false],
  }
  for (const [scenario, [kind, code, retryable]] of Object.entries(failures))
    it(`FB-02 FB-04 ${scenario} is ${kind}, and we do not burn a second run on it`, async ({ place }) => {
      const { result } = await place.play(scenario)
      expect(result).toMatchObject({ outcome: "failed", failure: { kind, code, retryable } })
      expect(place.noted("started")).toHaveLength(1)
    })

  it("FB-04 a host's own rows are asked first", async ({ place }) => {
    const failures = [
      {
        when: ["rate_limit_exceeded"],
        failure: { kind: "quota", code: "OUR_OWN_CODE", retryable: false },
        explanation: "Ask the team's own budget.",
      },
    ] as const
    const { result } = await place.play("fb-04", { agents: [rehearsal({ scenario: "fb-04", failures })] })
    expect(result.failure).toEqual({ kind: "quota", code: "OUR_OWN_CODE", retryable: false })
  })

  it("FB-05 a reply that talks about failures is a success", async ({ place }) => {
    const { result } = await place.play("fb-05")
    expect(result).toMatchObject({ outcome: "succeeded", failure: null, degraded: null })
    expect(result.text).toContain("401 unauthorized")
    expect(result.usage).toMatchObject({ inputTokens: 14_290, outputTokens: 429 })
  })

  it("FB-07 an unknown model is a matter of configuration, and its 251 neighbours are in no row", async ({
    place,
  }) => {
    const host = await place.open({ scenario: "fb-07" })
    const session = await host.launch({ cwd: place.cwd, model: "retired-1" })
    const { result } = await place.take(session, "with a model that is gone")
    expect(result).toMatchObject({
      outcome: "failed",
      failure: { kind: "config", code: "MODEL_UNKNOWN", retryable: false },
    })
    expect(place.noted("started")).toHaveLength(1)
    expect(result.explanation).toMatch(/choose one of those it lists\. For example: auto/)
    expect(result.explanation?.length).toBeLessThan(400)
    place.texts.add("family-7-thinking-extra-high-fast")
    for (const event of place.log()) expect(JSON.stringify(event.data).length).toBeLessThan(2_000)
  })
})

/** Files below a folder whose bytes hold this text. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(name => statSync(join(folder, name)).isFile())
    .filter(name => readFileSync(join(folder, name)).includes(text))
}
