import { describe, expect, it } from "vitest"
import { play, tool } from "./support.ts"

const one = (body: Record<string, unknown>, subtype = "started") =>
  play([tool(subtype, "c", body)]).events.slice(1)

describe("a tool call", () => {
  it.each([
    [{ editToolCall: { args: { path: "src/a.ts" } } }, "Edit", "Edit: src/a.ts"],
    [
      { shellToolCall: { args: { command: "npm\n test" }, description: "Run tests" } },
      "Shell",
      "Shell: Run tests",
    ],
    [{ shellToolCall: { args: { command: "npm\n test" } } }, "Shell", "Shell: npm test"],
    [{ mcpToolCall: { args: { name: "db-query", toolName: "query", args: {} } } }, "db-query", "db-query"],
    [{ mcpToolCall: { args: { providerIdentifier: "db", toolName: "query" } } }, "db-query", "db-query"],
    [{ getMcpToolsToolCall: { args: {} } }, "GetMcpTools", "GetMcpTools"],
    [
      { startedAtMs: "1", hookAdditionalContexts: [], globToolCall: { args: { globPattern: "*" } } },
      "Glob",
      "Glob: *",
    ],
    [{ function: { name: "lookup", arguments: '{"query":"q"}' } }, "lookup", "lookup: q"],
    [{ tool: { case: "readToolCall", value: { args: { path: "p" } } } }, "Read", "Read: p"],
  ])("is named from its nested key: %j", (body, name, title) => {
    expect(one(body)).toMatchObject([{ type: "tool.started", name, title }])
  })

  it("passes its arguments on, text that is no JSON too", () => {
    expect(one({ function: { name: "f", arguments: '{"a":1}' } })).toMatchObject([{ input: { a: 1 } }])
    expect(one({ function: { name: "f", arguments: "a=1" } })).toMatchObject([{ input: "a=1" }])
  })

  it.each([
    [600_000, 600_000],
    [0, null],
    ["5", null],
    [undefined, null],
  ])("PL-04 says how long it may be silent: %s", (timeout, timeoutMs) => {
    expect(one({ shellToolCall: { args: { command: "x", timeout } } })).toMatchObject([{ timeoutMs }])
  })

  it("starts once, however often its edit is streamed", () => {
    const growing = ["a", "ab", "abc"].map(text =>
      tool("started", "c", { editToolCall: { args: { path: "p", streamContent: text } } }),
    )
    expect(play(growing).types).toEqual(["run.identified", "tool.started"])
  })

  it("ends once, under the name it started with, although the end leaves its arguments out", () => {
    const { events } = play([
      tool("started", "call_X\nfc_Y", { mcpToolCall: { args: { name: "db-query" } } }),
      tool("completed", "call_X\nfc_Y", { mcpToolCall: { result: { success: { isError: true } } } }),
      tool("completed", "call_X\nfc_Y", { mcpToolCall: { result: { success: {} } } }),
    ])
    expect(events.slice(1)).toMatchObject([
      { type: "tool.started", call: "call_X\nfc_Y" },
      { type: "tool.completed", call: "call_X\nfc_Y", name: "db-query", status: "failed" },
    ])
  })

  it("ST-11 pairs ids of any bytes and any length", () => {
    const id = `\u0000\n${"é".repeat(5000)}`
    const { events } = play([
      tool("started", id, { readToolCall: { args: {} } }),
      tool("completed", id, { readToolCall: { result: { success: {} } } }),
    ])
    expect(events.slice(1).map(event => event.type)).toEqual(["tool.started", "tool.completed"])
    expect(events[2]).toMatchObject({ call: id })
  })

  it("gives a pair for an end without a start", () => {
    const body = { readToolCall: { args: { path: "p" }, result: { success: { content: "c" } } } }
    expect(one(body, "completed")).toMatchObject([
      { type: "tool.started", title: "Read: p", input: { path: "p" } },
      { type: "tool.completed", status: "ok", output: { success: { content: "c" } } },
    ])
  })

  it("ends in the order in which parallel calls finish", () => {
    const read = { readToolCall: { args: {} } }
    const { events } = play([
      tool("started", "a", read),
      tool("started", "b", read),
      tool("completed", "b", read),
      tool("completed", "a", read),
    ])
    expect(events.slice(1).map(event => ("call" in event ? event.call : ""))).toEqual(["a", "b", "b", "a"])
  })

  it("is nothing when a record only has metadata", () => {
    const { types, state } = play([
      tool("started", "c", { toolCallId: "c", startedAtMs: "1", hookAdditionalContexts: [] }),
    ])
    expect(types).toEqual(["run.identified"])
    expect(state.unknown).toBe(0)
  })

  it.each([
    [{ success: { exitCode: 0 } }, "ok"],
    [{ success: { exitCode: 2 } }, "failed"],
    [{ success: {}, isBackground: true }, "ok"],
    [{ isBackground: false, failure: { exitCode: 1 } }, "failed"],
    [{ error: { message: "m" } }, "failed"],
    [{ spawnError: {} }, "failed"],
    [{ timeout: {} }, "failed"],
    [{ somethingNew: {} }, "failed"],
    [{ rejected: { reason: "r" } }, "denied"],
    [{ permissionDenied: {} }, "denied"],
    [{ denied: {} }, "denied"],
    [undefined, "ok"],
  ])("went as its result says: %j", (result, status) => {
    expect(one({ shellToolCall: { args: {}, result } }, "completed")[1]).toMatchObject({ status })
  })
})
