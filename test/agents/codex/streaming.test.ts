/** What readers see of a Codex turn: text, tools, thoughts, warnings; and what of it nobody needs to see. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { limit } from "../../../adapters/agents/common/stream/limits.ts"
import { verdict } from "../../../machines/words.ts"
import { began, completed, error, exited, item, message, play, shell, thread, usage } from "./support.ts"

describe("a Codex turn", () => {
  it("says who it is, what it said, and what it used", () => {
    const { events, conclusion, ended } = play([...began, message(0, "Hello."), completed()])
    expect(events).toEqual([
      { type: "run.identified", conversation: thread, model: null },
      { type: "text.delta", text: "Hello.", block: 0 },
      expect.objectContaining({ type: "usage.reported" }),
    ])
    expect(conclusion).toMatchObject({ text: "Hello.", verdict: { outcome: "succeeded", failure: null } })
    expect(ended).toBe(true)
  })

  it("keeps messages apart, and streams exactly the reply", () => {
    const said = [message(0, "First I look."), shell(1, "ls", null), shell(1, "ls", 0), message(2, "Done.")]
    const { events, conclusion, streamed } = play([...began, ...said, completed()])
    expect(conclusion.text).toBe("First I look.\n\nDone.")
    expect(streamed).toBe(conclusion.text)
    const blocks = events.flatMap(event => (event.type === "text.delta" ? [event.block] : []))
    expect(blocks).toEqual([0, 1])
  })

  it("pairs the start and the end of a command, with its exit code", () => {
    const { events } = play([...began, shell(0, "false", null), shell(0, "false", 1, "no"), completed()])
    expect(events.filter(event => event.type.startsWith("tool"))).toEqual([
      {
        type: "tool.started",
        call: "item_0",
        name: "Shell",
        title: "Shell: false",
        input: { command: "false" },
        timeoutMs: null,
      },
      {
        type: "tool.completed",
        call: "item_0",
        name: "Shell",
        status: "failed",
        output: { output: "no", exitCode: 1 },
      },
    ])
  })

  it("an end without a start gives both, and a second end nothing", () => {
    const { events } = play([...began, shell(0, "true", 0), shell(0, "true", 0), completed()])
    expect(events.map(event => event.type)).toEqual([
      "run.identified",
      "tool.started",
      "tool.completed",
      "usage.reported",
    ])
  })

  it("a call that is still open when the turn is over is no fault", () => {
    const { conclusion } = play([
      ...began,
      shell(0, "npm run dev", null),
      message(1, "It runs."),
      completed(),
    ])
    expect(conclusion.verdict).toMatchObject({ outcome: "succeeded", degraded: null })
  })

  it.each([
    [
      "file_change",
      { changes: [{ path: "/w/a.ts", kind: "update" }], status: "completed" },
      { name: "Edit", title: "Edit: /w/a.ts", status: "ok" },
    ],
    [
      "mcp_tool_call",
      {
        server: "docs",
        tool: "find",
        arguments: { q: 1 },
        result: null,
        error: { message: "no" },
        status: "failed",
      },
      { name: "docs-find", title: "docs-find", status: "failed" },
    ],
    ["web_search", { query: "effect" }, { name: "WebSearch", title: "WebSearch: effect", status: "ok" }],
    [
      "command_execution",
      { command: "rm -rf /", aggregated_output: "", exit_code: null, status: "declined" },
      { name: "Shell", title: "Shell: rm -rf /", status: "denied" },
    ],
  ])("tells a %s", (type, fields, { name, title, status }) => {
    const { events, verdict: judged } = play([...began, item("completed", 3, type, fields), completed()])
    expect(events).toContainEqual(
      expect.objectContaining({ type: "tool.started", call: "item_3", name, title }),
    )
    expect(events).toContainEqual(expect.objectContaining({ type: "tool.completed", call: "item_3", status }))
    expect(judged.deniedTools).toBe(status === "denied" ? 1 : 0)
  })

  it("passes thoughts on and keeps the plan to itself", () => {
    const { events, verdict: judged } = play([
      ...began,
      item("completed", 0, "reasoning", { text: "**Looking**" }),
      item("started", 1, "todo_list", { items: [{ text: "look", completed: false }] }),
      item("updated", 1, "todo_list", { items: [{ text: "look", completed: true }] }),
      completed(),
    ])
    expect(events).toContainEqual({ type: "thinking.delta", text: "**Looking**" })
    expect(events.map(event => event.type)).not.toContain("tool.started")
    expect(judged.unknownLines).toBe(0)
  })

  it("a warning is a notice, and neither the failure nor the reply", () => {
    const warned = item("completed", 0, "error", { message: "Model metadata not found" })
    const { events, conclusion } = play([...began, warned, message(1, "Hi"), completed()])
    expect(events).toContainEqual({ type: "notice", code: "agentWarning", count: 1 })
    expect(conclusion).toMatchObject({ text: "Hi", verdict: { outcome: "succeeded", degraded: null } })
  })

  it("says that it reconnects each time, and that is not the end", () => {
    const { events, ended } = play([...began, error("Reconnecting... 1/5 (stream disconnected)")])
    expect(events).toContainEqual({ type: "notice", code: "agentReconnecting", count: 1 })
    expect(ended).toBe(false)
  })

  it("I14 counts lines that it does not know, of a known type too, and noise", () => {
    const odd = [
      item("completed", 0, "hologram"),
      '{"type":"item.completed"}',
      '{"type":"dance"}',
      "npm notice",
    ]
    const { conclusion } = play([...began, ...odd, message(1, "Hi"), completed()])
    expect(conclusion.verdict.unknownLines).toBe(3)
    expect(conclusion.notices).toEqual([
      { type: "notice", code: "notJson", count: 1 },
      { type: "notice", code: "unknownLines", count: 3 },
    ])
  })

  it("I14 a line too long to keep leaves a notice, ends its call, and begins its message", () => {
    const dropped = (text: string) => ({
      kind: "tooLong" as const,
      head: text.slice(0, 4096),
      bytes: 20_000_000,
      offset: 0,
      next: 1,
    })
    const output = shell(0, "cat big", 0, "x".repeat(5000))
    const { events, conclusion } = play([
      ...began,
      shell(0, "cat big", null),
      dropped(output),
      dropped(message(1, `Here: ${"y".repeat(5000)}`)),
      completed(),
    ])
    expect(events).toContainEqual(expect.objectContaining({ type: "tool.completed", call: "item_0" }))
    expect(events.filter(event => event.type === "notice").map(event => event.code)).toEqual([
      "lineTooLong",
      "lineTooLong",
      "replyTruncated",
    ])
    expect(conclusion.text).toMatch(/^Here: y{3900}/)
  })

  it("I16 remembers 4 MiB of a reply, says so once, and still streams the rest", () => {
    const long = "z".repeat(3 * 1024 * 1024)
    const { events, conclusion, streamed } = play([...began, message(0, long), message(1, long), completed()])
    expect(conclusion.text).toHaveLength(limit.replyChars)
    expect(streamed).toHaveLength(2 * long.length + 2)
    expect(events.filter(event => event.type === "notice")).toEqual([
      { type: "notice", code: "replyTruncated", count: 1 },
    ])
  })

  it("never throws, changes no state it was given, and always judges in the log's own words", () => {
    const type = fc.constantFrom(
      ...["thread.started", "turn.started", "item.started", "item.completed", "item.updated"],
      ...["turn.completed", "turn.failed", "error", "else"],
    )
    const kind = fc.constantFrom(
      "agent_message",
      "command_execution",
      "file_change",
      "mcp_tool_call",
      "reasoning",
      "?",
    )
    const value = fc.oneof(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), fc.constant(usage()))
    const fields = fc.dictionary(
      fc.constantFrom(
        "id",
        "text",
        "message",
        "changes",
        "status",
        "exit_code",
        "server",
        "command",
        "error",
      ),
      value,
      { maxKeys: 5 },
    )
    const record = fc.tuple(type, kind, fields, value).map(([name, itemType, inner, other]) =>
      JSON.stringify({
        type: name,
        thread_id: other,
        usage: other,
        message: other,
        error: other,
        item: { type: itemType, ...inner },
      }),
    )
    const anyLine = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      record,
      fc.tuple(record, fc.nat(80)).map(([text, cut]) => text.slice(0, cut)),
      record.map(head => ({ kind: "tooLong" as const, head, bytes: 20_000_000, offset: 0, next: 1 })),
    )
    const ending = fc.record({ status: fc.option(fc.nat(255)), stderr: fc.string({ maxLength: 60 }) })
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), ending, (lines, { status, stderr }) => {
        const { verdict: judged } = play(lines, exited(status, stderr))
        expect(verdict.safeParse(judged).success).toBe(true)
        expect(judged.failure === null).toBe(judged.outcome === "succeeded")
      }),
      { numRuns: 1000 },
    )
  })
})
