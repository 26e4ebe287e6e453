/** What the real codex does when its model's service refuses, breaks off or falls silent, and how the turn is told. */
import { describe, expect } from "vitest"
import type { TurnResult } from "../../adapters/library/index.ts"
import { noticed, untilSeen } from "../cases/harness.ts"
import { calls, type Decision, refuses, says } from "./model/decision.ts"
import { it } from "./place.ts"

const prompt = "a question that fails"
const kindOf = ({ failure }: TurnResult) => failure && `${failure.kind} ${failure.code} ${failure.retryable}`

/** An answer that is cut off in the middle of its last message. */
const cut = (ends: "dropped" | "stalled", ...whole: readonly string[]): Decision => ({
  kind: "answer",
  parts: [...whole.map(text => [text]), ["Half of ", "a message"]].map(pieces => ({ kind: "text", pieces })),
  ends,
})

describe("a service that refuses", () => {
  const cases: readonly [number, string, string][] = [
    [401, "the key is wrong", "auth AUTH_REQUIRED false"],
    [429, "slow down", "rateLimited RATE_LIMITED true"],
    // Codex says "high demand" of every 500, and no status.
    [500, "it broke", "overloaded SERVICE_OVERLOADED true"],
  ]
  for (const [status, message, expected] of cases)
    it(`with ${status} fails the turn: ${expected}`, async ({ place }) => {
      const { result } = await place.one([refuses(status, message)], {}, prompt)
      expect(kindOf(result)).toBe(expected)
      expect(result).toMatchObject({ outcome: "failed", text: null, usage: null, left: [] })
      expect(result.explanation).not.toBeNull()
      expect(place.heard(prompt)).toBe(1)
    })

  it("in words that nobody knows is quoted, whatever codex complains of behind them", async ({ place }) => {
    // A tool that is still open makes codex say on stderr, when the turn is over, that the thread is "not found".
    const open = calls("exec_command", { cmd: "sleep 3600", yield_time_ms: 300 })
    const { result } = await place.one([open, refuses(400, "I am a teapot")])
    expect(kindOf(result)).toBe("config REQUEST_REJECTED false")
    expect(result).toMatchObject({ outcome: "failed", conversation: "reusable", left: [] })
    expect(result.explanation).toContain("I am a teapot")
  })

  it("once, and then answers, is not noticed if codex tries again by itself", async ({ place }) => {
    const { result } = await place.one([refuses(500, "it broke"), says("Fine.")], { retries: 1 })
    expect(result).toMatchObject({ outcome: "succeeded", text: "Fine.", degraded: null })
  })

  it("leaves a conversation that takes the next prompt", async ({ place }) => {
    place.model.decides(refuses(401, "the key is wrong"), says("Welcome back."))
    const session = await place.session()
    const first = await place.say(session, prompt)
    expect(first.result.outcome).toBe("failed")
    const second = await place.say(session, "and now?")
    expect(second.result).toMatchObject({ outcome: "succeeded", text: "Welcome back.", historyLost: false })
  })
})

describe("a stream that", () => {
  it("is dropped in the middle of a message fails the turn", async ({ place }) => {
    const { result } = await place.one([cut("dropped")])
    expect(kindOf(result)).toBe("network STREAM_LOST true")
    expect(result).toMatchObject({ outcome: "failed", text: null, left: [] })
  })

  it("is dropped behind a whole message is a failure that keeps it, since what followed is not known", async ({
    place,
  }) => {
    const { result } = await place.one([cut("dropped", "A whole message.")])
    expect(kindOf(result)).toBe("network STREAM_LOST true")
    expect(result).toMatchObject({ outcome: "failed", text: "A whole message." })
  })

  it("stalls is ended by codex' own limit", async ({ place }) => {
    const { result } = await place.one([cut("stalled")], { silenceMs: 500 })
    expect(kindOf(result)).toBe("network STREAM_LOST true")
    expect(result).toMatchObject({ outcome: "failed", text: null, left: [] })
  })

  it("stalls is ended by ours, if codex has none, and what was said is kept", async ({ place }) => {
    const { result } = await place.one([cut("stalled", "A whole message.")], { limits: { idleMs: 5_000 } })
    expect(result.failure?.kind).toBe("timedOut")
    expect(result).toMatchObject({ outcome: "failed", text: "A whole message.", left: [] })
  })

  it("is dropped and taken up again is told as a notice, and says nothing twice", async ({ place }) => {
    const { events, result } = await place.one([cut("dropped"), says("All of it.")], { retries: 1 })
    expect(result).toMatchObject({ outcome: "succeeded", degraded: null, text: "All of it." })
    expect(noticed(events)).toEqual(["agentReconnecting"])
  })

  it("is no stream at all fails the turn", async ({ place }) => {
    const { result } = await place.one([{ kind: "garbage", bytes: "<html>a proxy says no</html>\n\n" }])
    expect(kindOf(result)).toBe("network STREAM_LOST true")
  })
})

describe("a service that is not there", () => {
  it("is waited for by codex without end, and by us within our limit", async ({ place }) => {
    await place.model.close()
    const { result } = await place.one([], { limits: { totalMs: 5_000 } })
    expect(result).toMatchObject({ outcome: "failed", text: null, left: [] })
    expect(result.failure?.kind).toBe("timedOut")
  })

  it("is told as a notice, and the turn can be interrupted", async ({ place }) => {
    await place.model.close()
    const turn = place.send(await place.session(), prompt)
    await untilSeen(turn, event => event.type === "notice" && event.code === "agentReconnecting")
    await turn.interrupt()
    expect(await place.result(turn)).toMatchObject({ outcome: "interrupted", text: null, left: [] })
  })
})
