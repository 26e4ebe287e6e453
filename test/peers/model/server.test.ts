/** The model server itself, asked without an agent: it goes by gates and decisions, and tells when it had none. */
import { describe, expect, it } from "vitest"
import { type Decision, says } from "./decision.ts"
import { Gate } from "./gate.ts"
import { Model } from "./server.ts"

const ask = (model: Model, text: string) =>
  fetch(`${model.url}/responses`, {
    method: "POST",
    headers: { authorization: "Bearer k" },
    body: JSON.stringify({
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text }] },
        { type: "function_call_output", call_id: "c", output: "made" },
      ],
    }),
  })

describe("the model server", () => {
  it("keeps what it was asked", async () => {
    await using model = await Model.open(says("Hello."))
    await ask(model, "hi").then(response => response.text())
    expect(model.asked).toMatchObject([
      {
        said: [
          { by: "person", text: "hi" },
          { by: "tool", text: "made" },
        ],
        authorization: "Bearer k",
      },
    ])
  })

  it("holds the rest of an answer until its gate is opened", async () => {
    const gate = new Gate()
    await using model = await Model.open(says("before", gate, "behind"))
    const { body } = await ask(model, "hi")
    const read: string[] = []
    for await (const bytes of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      read.push(bytes)
      if (!read.join("").includes('"delta":"before"')) continue
      if (!read.join("").includes("response.completed")) gate.open()
    }
    expect(read.join("").indexOf('"delta":"behind"')).toBeGreaterThan(0)
    expect(read.findIndex(bytes => bytes.includes('"delta":"behind"'))).toBeGreaterThan(
      read.findIndex(bytes => bytes.includes('"delta":"before"')),
    )
  })

  it("drops the connection before the end of what it says", async () => {
    const dropped: Decision = { kind: "answer", parts: [{ kind: "text", pieces: ["half"] }], ends: "dropped" }
    await using model = await Model.open(dropped)
    const response = await ask(model, "hi")
    await expect(response.text()).rejects.toThrow()
    expect(model.faults).toEqual([])
  })

  it("tells of a request for which nothing was decided, and of a path that no protocol has", async () => {
    await using model = await Model.open()
    await expect(ask(model, "hi")).rejects.toThrow()
    expect((await fetch(`${model.url}/nothing`)).status).toBe(404)
    expect(model.faults).toEqual(["Error: no decision for request 1", "GET /v1/nothing"])
  })
})
