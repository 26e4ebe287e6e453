/** What the real codex says becomes the turn that a reader sees: text, tools, tools that fail. */
import { describe, expect } from "vitest"
import { blocks, noticed, ofType, streamed } from "../cases/harness.ts"
import { calls, type Decision, says, type Tokens, usualTokens } from "./model/decision.ts"
import { it } from "./place.ts"

/** What a reader is told of the tokens of answers: input without what came from the cache. */
const usageOf = (...answers: readonly Tokens[]) => {
  const sum = (of: (tokens: Tokens) => number) => answers.reduce((total, tokens) => total + of(tokens), 0)
  return {
    inputTokens: sum(({ input, cached }) => input - cached),
    outputTokens: sum(({ output }) => output),
    cacheReadTokens: sum(({ cached }) => cached),
    cacheWriteTokens: 0,
  }
}

const costing = (tokens: Tokens, text: string): Decision => ({
  kind: "answer",
  parts: [{ kind: "text", pieces: [text] }],
  tokens,
})

describe("a reply of codex", () => {
  it("is the text of the model, once, with the conversation's name before it and the usage behind", async ({
    place,
  }) => {
    const { events, result } = await place.one([says("Blue ", "is ", "the colour.")], {}, "which colour?")
    expect(result).toMatchObject({
      outcome: "succeeded",
      text: "Blue is the colour.",
      failure: null,
      degraded: null,
      conversation: "reusable",
      usage: usageOf(usualTokens),
      left: [],
    })
    expect(events.map(event => event.type)).toEqual([
      "run.started",
      "run.identified",
      "text.delta",
      "usage.reported",
      "text.final",
      "turn.settled",
    ])
    expect(streamed(events)).toBe("Blue is the colour.")
    expect(place.heard("which colour?")).toBe(1)
    expect(place.model.asked).toHaveLength(1)
  })

  it("may be several messages with thoughts between them", async ({ place }) => {
    const { events, result } = await place.one([
      {
        kind: "answer",
        parts: [
          { kind: "thinking", text: "It is a colour." },
          { kind: "text", pieces: ["First."] },
          { kind: "text", pieces: ["Sec", "ond."] },
        ],
      },
    ])
    expect(result).toMatchObject({ outcome: "succeeded", text: "First.\n\nSecond." })
    expect(ofType(events, "thinking.delta").map(event => event.text)).toEqual(["It is a colour."])
    expect(blocks(events).map(text => text.trim())).toEqual(["First.", "Second."])
  })
})

describe("a tool of codex", () => {
  it("is seen to start and to end, and its output reaches the model", async ({ place }) => {
    const { events, result } = await place.one([
      calls("exec_command", { cmd: "echo from the tool > made.txt; cat made.txt" }),
      says("It is made."),
    ])
    expect(result).toMatchObject({
      outcome: "succeeded",
      text: "It is made.",
      usage: usageOf(usualTokens, usualTokens),
    })
    const [started] = ofType(events, "tool.started")
    const [completed] = ofType(events, "tool.completed")
    expect(started?.title).toContain("cat made.txt")
    expect(completed).toMatchObject({
      call: started?.call,
      status: "ok",
      output: { output: "from the tool\n", exitCode: 0 },
    })
    expect(place.model.asked.at(-1)?.said.at(-1)).toMatchObject({
      by: "tool",
      text: expect.stringContaining("from the tool") as string,
    })
  })

  it("that edits a file names it", async ({ place }) => {
    const patch = "*** Begin Patch\n*** Add File: made.txt\n+hello\n*** End Patch\n"
    const { events, result } = await place.one([calls("apply_patch", patch), says("Done.")])
    expect(result).toMatchObject({ outcome: "succeeded", text: "Done." })
    const change = { path: `${place.cwd}/made.txt`, kind: "add" }
    expect(ofType(events, "tool.started")).toMatchObject([{ input: { changes: [change] } }])
    expect(ofType(events, "tool.completed")).toMatchObject([{ status: "ok" }])
  })

  it("that fails is told as failed, and ends nothing", async ({ place }) => {
    const { events, result } = await place.one([
      calls("exec_command", { cmd: "echo oops >&2; exit 3" }),
      says("It did not work."),
    ])
    expect(result).toMatchObject({ outcome: "succeeded", text: "It did not work.", degraded: null })
    expect(ofType(events, "tool.completed")).toMatchObject([
      { status: "failed", output: { output: "oops\n", exitCode: 3 } },
    ])
    expect(noticed(events)).toEqual([])
  })

  it("does not see the key that the model is paid with", async ({ place }) => {
    const { events } = await place.one([
      calls("exec_command", { cmd: "echo key=$CODEX_API_KEY run=$HOLDFAST_RUN" }),
      says("Looked."),
    ])
    expect(ofType(events, "tool.completed")[0]?.output).toMatchObject({
      output: expect.stringMatching(/^key= run=\S+\n$/) as string,
    })
  })
})

describe("the usage of a turn", () => {
  it("is its own, although codex counts the whole conversation", async ({ place }) => {
    const tokens = { input: 300, cached: 50, output: 20, reasoning: 5 }
    place.model.decides(says("One."), costing(tokens, "Two."), says("Three."))
    const session = await place.session()
    const usages = []
    for (const prompt of ["first question", "second question", "third question"])
      usages.push((await place.say(session, prompt)).result.usage)
    expect(usages).toEqual([usageOf(usualTokens), usageOf(tokens), usageOf(usualTokens)])
  })
})
