/**
 * Field cases PL-03, PL-04, FB-08, X1: how long an agent may be silent. The limits that must not strike are hours away,
 * and those that must are short; a run's idle limit is first looked at when its first-output limit is over, so
 * that one is as long as an agent may need to start on a busy machine, and the cases wait for it together.
 */
import { writeFileSync } from "node:fs"
import { describe, expect } from "vitest"
import { defaultLimits } from "../../adapters/library/index.ts"
import type { Scenario, Step } from "../../adapters/rehearsal/index.ts"
import { it, ofType, until } from "./harness.ts"

const opening: readonly Step[] = [{ do: "init" }, { do: "user" }]
const scenario = (...steps: readonly Step[]): Scenario => ({ turns: [{ steps: [...opening, ...steps] }] })
const quick = { resultGraceMs: 100, signalGraceMs: 100 }
/** Long enough for a start, short enough to wait for. */
const started = { firstOutputMs: 8_000 }

describe.concurrent("silence", () => {
  it("PL-03 silence in the middle is ended by the idle limit, and the next turn resumes", async ({
    place,
  }) => {
    const hangs: Scenario = {
      turns: [
        {
          when: { promptIncludes: "first" },
          steps: [...opening, { do: "text", text: "Look" }, { do: "hang" }],
        },
        { steps: [...opening, { do: "text", text: "On we go." }, { do: "result" }] },
      ],
    }
    const limits = { ...quick, ...started, idleMs: 100, totalMs: 3_600_000 }
    const { result, session, events } = await place.play(hangs, { prompt: "the first prompt", limits })
    expect(place.alive()).toEqual([])
    expect(result).toMatchObject({
      outcome: "failed",
      text: "Look",
      failure: { kind: "timedOut", code: "IDLE_TIMEOUT" },
    })
    const conversation = ofType(events, "run.identified")[0]?.conversation
    expect(session.status().conversation).toBe(conversation)
    const next = await place.take(session, "the second prompt")
    expect(next.result).toMatchObject({ outcome: "succeeded", text: "On we go." })
    expect(place.noted("claimed").map(({ session: chat, resumed }) => [chat, resumed])).toEqual([
      [conversation, false],
      [conversation, true],
    ])
  })

  it("PL-03 an agent that only says, again and again, that it waits for its connection is as good as silent", async ({
    place,
  }) => {
    const reconnecting: Step = { do: "emit", event: { type: "connection", subtype: "reconnecting" } }
    const waiting = scenario(
      { do: "text", text: "Look" },
      ...Array.from({ length: 1000 }, () => [reconnecting, { do: "wait", ms: 25 }] as const).flat(),
      { do: "text", text: " who is back." },
      { do: "result" },
    )
    const limits = { ...quick, ...started, idleMs: 1_000 }
    const { result } = await place.play(waiting, { limits, pace: 1 })
    expect(result).toMatchObject({ outcome: "failed", failure: { code: "IDLE_TIMEOUT" }, text: "Look" })
    expect(place.alive()).toEqual([])
  })

  it("PL-03 a program that says nothing at all is ended by the first-output limit", async ({ place }) => {
    const silent: Scenario = { starts: [{ steps: [{ do: "hang" }] }], turns: [{ steps: [] }] }
    const { result } = await place.play(silent, { limits: { ...quick, firstOutputMs: 1_000 } })
    expect(result).toMatchObject({ outcome: "failed", failure: { code: "FIRST_OUTPUT_TIMEOUT" } })
    expect(place.alive()).toEqual([])
  })

  it("PL-04 an open tool call extends the idle limit for as long as the call asked for", async ({
    place,
  }) => {
    const gate = place.at("tests-are-done")
    const tool = { do: "tool", kind: "shell", callId: "toolu_long" } as const
    const long = scenario(
      { ...tool, only: "started", args: { command: "npm test", timeout: 600_000 } },
      { do: "waitForFile", path: gate },
      { ...tool, only: "completed", value: { exitCode: 0 } },
      { do: "text", text: "They pass." },
      { do: "result" },
    )
    const host = await place.open({
      scenario: long,
      limits: { ...quick, ...started, idleMs: 50, toolIdleMs: 100 },
    })
    const turn = place.send(await host.launch({ cwd: place.cwd }), "run all of the tests")
    // The watchdog has asked, and was told of a silence that without the call would have been too long.
    await until(() => place.log().some(event => event.type === "probed" && Number(event.data.silentMs) > 200))
    writeFileSync(gate, "")
    expect(await place.result(turn)).toMatchObject({ outcome: "succeeded", text: "They pass." })
    expect(place.noted("signal")).toEqual([])
    expect(place.noted("started")).toHaveLength(1)
  })

  it("PL-04 a tool that is silent for longer than anybody allowed is ended, and not run again", async ({
    place,
  }) => {
    const stuck = scenario(
      { do: "tool", kind: "edit", args: { path: "work.txt" }, append: "done\n", real: true },
      { do: "tool", kind: "shell", only: "started", args: { command: "npm test" } },
      { do: "hang" },
    )
    const limits = { ...quick, ...started, idleMs: 50, toolIdleMs: 100 }
    const { result } = await place.play(stuck, { limits })
    expect(result).toMatchObject({ outcome: "failed", failure: { code: "IDLE_TIMEOUT" } })
    expect(place.noted("started")).toHaveLength(1)
    expect(place.noted("tool").map(({ phase }) => phase)).toEqual(["begun", "done"])
  })

  it("X1 twelve seconds before the first line are no failure", async ({ place }) => {
    expect(defaultLimits.firstOutputMs).toBeGreaterThan(12_000)
    const gate = place.at("awake")
    const slow: Scenario = {
      starts: [{ steps: [{ do: "waitForFile", path: gate }] }],
      turns: scenario({ do: "text", text: "Good morning." }, { do: "result" }).turns,
    }
    const host = await place.open({ scenario: slow })
    const turn = place.send(await host.launch({ cwd: place.cwd }), "good morning to you")
    await until(() => place.log().some(event => event.machine === "run" && event.to === "active"))
    await until(() => place.noted("waiting").length > 0)
    writeFileSync(gate, "")
    expect(await place.result(turn)).toMatchObject({ outcome: "succeeded", text: "Good morning." })
    expect(place.noted("started")).toHaveLength(1)
  })

  it("FB-08 our own idle limit after a side effect is the outcome, and nothing else is tried", async ({
    place,
  }) => {
    const limits = { ...quick, ...started, idleMs: 100 }
    const { result } = await place.play("fb-08", { limits })
    expect(result).toMatchObject({ outcome: "failed", failure: { kind: "timedOut" } })
    expect(place.noted("started")).toHaveLength(1)
  })
})
