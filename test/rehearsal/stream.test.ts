/** The lines on stdout: with and without partial output, in every format, through every framing. */
import { writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { type Ended, makePlace, ofType, resultOf, textOf, turns, usualFlags } from "./harness.ts"

const scenario = turns(
  { do: "init" },
  { do: "user" },
  { do: "thinking", text: "Hm, so.", chunks: 2 },
  { do: "text", pieces: ["A", "B"] },
  { do: "tool", kind: "read", args: { path: "a" }, value: { content: "" } },
  { do: "text", pieces: ["C"] },
  { do: "result" },
)
const whole = usualFlags.filter(flag => flag !== "--stream-partial-output")

/** Text, has a time, has a model call: the three kinds of an assistant line. */
const kinds = (ended: Ended) =>
  ofType(ended.events, "assistant").map(event => [
    textOf(event),
    "timestamp_ms" in event,
    "model_call_id" in event,
  ])

describe("assistant lines", () => {
  it("are deltas and repeats with --stream-partial-output", async () => {
    const ended = await makePlace().run({ scenario })
    expect(kinds(ended)).toEqual([
      ["A", true, false],
      ["B", true, false],
      ["AB", true, true],
      ["C", true, false],
      ["C", false, false],
    ])
    expect(resultOf(ended).result).toBe("ABC")
  })

  it("are whole segments without it", async () => {
    const ended = await makePlace().run({ scenario, args: whole })
    expect(kinds(ended)).toEqual([
      ["AB", true, true],
      ["C", false, false],
    ])
  })
})

describe("the other lines", () => {
  it("come in Cursor's order and shapes, all with the session's id", async () => {
    const place = makePlace()
    const { events } = await place.run({ scenario, args: whole, env: { CURSOR_API_KEY: "k" } })
    expect(events.map(event => [event.type, event.subtype].join("/"))).toEqual([
      "system/init",
      "user/",
      "thinking/delta",
      "thinking/delta",
      "thinking/completed",
      "assistant/",
      "tool_call/started",
      "tool_call/completed",
      "assistant/",
      "result/success",
    ])
    expect(events[0]).toMatchObject({
      apiKeySource: "env",
      cwd: place.cwd,
      model: "Auto",
      permissionMode: "default",
    })
    expect(new Set(events.map(event => event.session_id)).size).toBe(1)
    expect(events.at(-1)).toMatchObject({ is_error: false, usage: { inputTokens: expect.any(Number) } })
  })

  it("carry a call id with a newline, and metadata before the tool", async () => {
    const { events } = await makePlace().run({ scenario })
    const [started, completed] = ofType(events, "tool_call")
    expect(started?.call_id).toMatch(/^call_[^\n]+\nfc_/)
    expect(completed?.call_id).toBe(started?.call_id)
    expect(Object.keys(completed?.tool_call as object)[0]).toBe("toolCallId")
    expect(completed?.tool_call).toMatchObject({
      readToolCall: { args: { path: "a" }, result: { success: {} } },
    })
  })
})

describe("the other formats", () => {
  it("text is the last segment, json the result alone", async () => {
    const place = makePlace()
    const text = await place.run({ scenario, args: ["-p", "--force"] })
    const json = await place.run({ scenario, args: ["-p", "--force", "--output-format", "json"] })
    expect(text.stdout).toBe("C\n")
    expect(json.events.map(event => [event.type, event.result])).toEqual([["result", "ABC"]])
  })
})

describe("framing", () => {
  const framed = (framing: Scenario["framing"]): Scenario => ({
    ...turns({ do: "init" }, { do: "text", text: "漢😀" }, { do: "result" }),
    ...(framing && { framing }),
  })

  it("changes line ends, marks the beginning, leaves out the last newline, and splits any character", async () => {
    const place = makePlace()
    const ended = await place.run({
      scenario: framed({ lineEnd: "\r\n", byteOrderMark: true, finalNewline: false, splitBytes: 1 }),
    })
    expect(ended.stdout.startsWith("\ufeff{")).toBe(true)
    expect(ended.stdout.match(/\r\n/g)).toHaveLength(3)
    expect(ended.stdout.endsWith("}")).toBe(true)
    expect(resultOf(ended).result).toBe("漢😀")
  })

  it("can use the wrong side", async () => {
    const ended = await makePlace().run({ scenario: framed({ to: "stderr" }) })
    expect([ended.stdout, ended.stderr.split("\n").length]).toEqual(["", 5])
  })
})

describe("substitution", () => {
  it("looks at what the scenario wrote, never at what a prompt says", async () => {
    const scenario = turns({ do: "text", text: "$PROMPT|$FILL:3|$UNKNOWN" }, { do: "result" })
    const ended = await makePlace().run({ scenario, prompt: "$SESSION $FILL:9" })
    expect(resultOf(ended).result).toBe("$SESSION $FILL:9|xxx|$UNKNOWN")
  })
})

describe("a prompt", () => {
  it("in the arguments makes the CLI wait for the end of its stdin", async () => {
    const place = makePlace()
    const started = place.start({
      scenario: turns({ do: "result" }),
      args: [...usualFlags, "say", "hi"],
      prompt: null,
    })
    const seen = new Promise<string>(resolve =>
      started.child.stdout?.once("data", part => resolve(String(part))),
    )
    expect(await seen).toContain('"type":"result"')
    expect(started.child.exitCode).toBeNull()
    started.child.stdin?.end()
    expect((await started.ended).code).toBe(0)
  })
})

describe("a scenario that does not fit", () => {
  it("is named, with its place, before anything is played", async () => {
    const place = makePlace()
    const path = place.file("bad.json")
    writeFileSync(path, JSON.stringify({ turns: [{ steps: [{ do: "dance" }] }] }))
    const ended = await place.run({ scenario: path })
    expect([ended.code, ended.stdout]).toEqual([64, ""])
    expect(ended.stderr).toContain(`${path}: scenario.turns[0].steps[0].do: expected a step (init, user, `)
  })
})
