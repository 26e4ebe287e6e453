import { describe, expect, it } from "vitest"
import {
  delta,
  exited,
  flush,
  init,
  last,
  line,
  linesOf,
  play,
  result,
  session,
  tooLong,
  tool,
  usage,
} from "./support.ts"

const read = (call: string) => [
  tool("started", call, { readToolCall: { args: { path: "a.txt" } } }),
  tool("completed", call, {
    readToolCall: { args: { path: "a.txt" }, result: { success: { content: "x" } } },
  }),
]

describe("text of a stream", () => {
  it.each(["C", "ABC"])("ST-01 says every paragraph once, whatever the last flush repeats (%s)", repeated => {
    const turn = [
      init(),
      delta("A"),
      delta("B"),
      flush("AB"),
      ...read("c1"),
      delta("C"),
      last(repeated),
      result("ABC"),
    ]
    const { blocks, conclusion } = play(turn)
    expect(blocks).toEqual(["AB", "C"])
    expect(conclusion.text).toBe("ABC")
    expect(conclusion.verdict).toMatchObject({ outcome: "succeeded", failure: null, degraded: null, usage })
  })

  it("ST-02 keeps repeated pieces, and pieces that are part of what was said", () => {
    const pieces = ["```", "\n", "\n", "ha", "ha", "haha", "```", "```", "h"]
    const { blocks } = play([init(), ...pieces.map(delta), result(pieces.join(""))])
    expect(blocks).toEqual([pieces.join("")])
  })

  it("ST-03 gives the same events however the bytes were cut", () => {
    const turn = [init(), delta("日本語 "), delta("👩‍🚀é"), result("日本語 👩‍🚀é")]
    for (const end of ["", "\n"]) {
      const bytes = new TextEncoder().encode(turn.join("\n") + end)
      for (let cut = 0; cut <= bytes.length; cut++) {
        expect(play(linesOf([bytes.subarray(0, cut), bytes.subarray(cut)])).blocks).toEqual(["日本語 👩‍🚀é"])
      }
    }
  })

  it("ST-04 passes on a replacement character that the agent wrote", () => {
    expect(play([delta("a\uFFFDb"), result("a\uFFFDb")]).conclusion.text).toBe("a\uFFFDb")
  })

  it("passes on characters that only look like noise: U+2028, U+FEFF, a raw C1 control, a lone surrogate", () => {
    const odd = "a\u2028b\uFEFFc\u009B31md\uD83D"
    expect(play([delta(odd), result(odd)]).blocks).toEqual([odd])
  })

  it("falls back to whole segments for a build that does not stream", () => {
    const { blocks, conclusion } = play([
      init(),
      flush("Now I read."),
      ...read("c1"),
      last("Done."),
      result("Now I read.Done."),
    ])
    expect(blocks).toEqual(["Now I read.", "Done."])
    expect(conclusion.text).toBe("Now I read.Done.")
  })

  it("does not repeat the turn when the last segment of such a build repeats all of it", () => {
    expect(play([flush("One. "), ...read("c1"), last("One. Two.")]).blocks).toEqual(["One. ", "Two."])
  })

  it("starts no block for tools before, or in a row without, text", () => {
    expect(play([...read("a"), delta("x"), ...read("b"), ...read("c"), delta("y")]).blocks).toEqual([
      "x",
      "y",
    ])
  })

  it("passes thinking on, in several phases, and ends none of it", () => {
    const thought = (text: string) => line("thinking", { subtype: "delta", text, timestamp_ms: 1 })
    const done = line("thinking", { subtype: "completed" })
    const { events, conclusion } = play([
      done,
      thought("a"),
      thought("b"),
      done,
      delta("x"),
      thought("c"),
      result("x"),
    ])
    expect(events.filter(event => event.type === "thinking.delta").map(event => event.text)).toEqual([
      "a",
      "b",
      "c",
    ])
    expect(conclusion.verdict.unknownLines).toBe(0)
  })
})

describe("replays that the agent announced", () => {
  const retry = [
    line("connection", { subtype: "reconnecting" }),
    `${line("retry", { subtype: "starting", attempt: 1, is_resume: true })} ${line("retry", { subtype: "resuming", attempt: 1 })}`,
    line("connection", { subtype: "reconnected" }),
  ]

  it("are swallowed, in other pieces too, and what follows is new", () => {
    const { blocks, types } = play([
      delta("Hello "),
      delta("wor"),
      ...retry,
      delta("Hel"),
      delta("lo world"),
      result("Hello world"),
    ])
    expect(blocks).toEqual(["Hello world"])
    expect(types.filter(type => type === "notice")).toHaveLength(2)
  })

  it("are not taken for one when the agent goes on instead", () => {
    expect(play([delta("Hello "), ...retry, delta("world")]).blocks).toEqual(["Hello world"])
  })

  it("give back what was held when the block ends before it is clear", () => {
    expect(play([delta("I will read it"), ...retry, delta("I will "), ...read("c1")]).blocks).toEqual([
      "I will read itI will ",
    ])
  })
})

describe("lines", () => {
  it("ST-09 ignores questions that the CLI answers itself, and unknown notifications", () => {
    const { conclusion, types } = play([
      line("interaction_query", { subtype: "request", query: { id: 1, webFetchRequestQuery: {} } }),
      line("system", { subtype: "task_notification" }),
      line("interaction_query", { subtype: "response", response: { id: 1 } }),
      result("ok"),
    ])
    expect(types).toEqual(["run.identified", "usage.reported"])
    expect(conclusion.verdict).toMatchObject({ outcome: "succeeded", unknownLines: 0 })
  })

  it("ST-09 takes the conversation from the first line that has one, and keeps it", () => {
    const { state, events } = play([
      init({ session_id: "" }),
      line("user", { session_id: "-x" }),
      line("user", { session_id: session }),
      line("user", { session_id: "later" }),
      result("ok", { session_id: "" }),
    ])
    expect(state.conversation).toBe(session)
    expect(events[0]).toEqual({ type: "run.identified", conversation: session, model: "Composer 2.5" })
  })

  it("RS-04 finds a conversation that only the result names", () => {
    expect(play([init({ session_id: undefined }), result("ok")]).state.conversation).toBe(session)
  })

  it("ST-08 counts types it does not know and finishes from the result", () => {
    const { conclusion } = play([
      init(),
      line("reasoning", { text: "x" }),
      line("tool_calls"),
      result("done"),
    ])
    expect(conclusion.verdict).toMatchObject({ outcome: "succeeded", unknownLines: 2 })
    expect(conclusion.notices).toContainEqual({ type: "notice", code: "unknownLines", count: 2 })
  })

  it("counts a known type in a shape that is not", () => {
    expect(play([line("assistant", { message: 3 }), line("thinking", { text: 4 })]).state.unknown).toBe(2)
  })

  it("ST-13 reads lines behind escapes and ignores lines of nothing else", () => {
    const { conclusion, state } = play([
      `\x1b]0;title\x07${init()}`,
      "\x1b[?2004h\x1b[0m",
      `\x1b[2K\x1b[1G${delta("hi")}`,
      `${result("hi")}\x1b[0m`,
    ])
    expect(conclusion).toMatchObject({ text: "hi", notices: [] })
    expect(state.notJson).toBe(0)
  })

  it("ST-14 counts banners as noise, before and after, and shows none", () => {
    const { conclusion, blocks } = play([
      "A new version is available: run update",
      "",
      "Using worktree: /x",
      init(),
      delta("hi"),
      "[log] reconnect",
      result("hi"),
      "Bye",
    ])
    expect(blocks).toEqual(["hi"])
    expect(conclusion).toMatchObject({ text: "hi", notices: [{ code: "notJson", count: 3 }] })
  })

  it("ST-20 gives the same events with \\r\\n, a byte order mark, blank lines and no final newline", () => {
    const turn = [init(), delta("a\r\n"), result("a\r\n")]
    const bytes = new TextEncoder().encode(`\uFEFF${turn.join("\r\n\r\n")}`)
    expect(play(linesOf([bytes])).events).toEqual(play(turn).events)
  })

  it("I14 reads several objects on one line, with or without a space between", () => {
    const braces = delta('{"}" and \\"{')
    expect(play([`${braces}${delta("b")} ${result("x")}`]).types).toEqual([
      ...["run.identified", "text.delta", "text.delta", "usage.reported"],
    ])
  })

  it("takes an object with noise around it, or without a type, for log text", () => {
    const { state, types } = play([
      `debug: ${result("no")}`,
      '{"answer":42}',
      "[1,2]",
      "42",
      "null",
      '{"type":3}',
    ])
    expect(types).toEqual([])
    expect(state).toMatchObject({ notJson: 6, unknown: 0, end: null })
  })
})

describe("after the end", () => {
  it("X4 late lines change nothing, and only notices come of them", () => {
    const turn = [
      init(),
      tool("started", "c", { shellToolCall: { args: { command: "x" } } }),
      delta("a"),
      result("a"),
    ]
    const late = [
      tool("completed", "c", { shellToolCall: { result: { rejected: { reason: "r" } } } }),
      line("system", { subtype: "task_notification" }),
      line("system", { subtype: "background_shell_timeout" }),
      result("other", { is_error: true }),
    ]
    const before = play(turn)
    const after = play([...turn, ...late])
    expect(after.ended).toBe(true)
    expect(after.conclusion).toEqual(before.conclusion)
    expect(after.events.slice(before.events.length)).toEqual([
      { type: "notice", code: "backgroundWorkStopped", count: 1 },
    ])
  })

  it("X4 also on the same line", () => {
    expect(play([`${result("a")} ${result("b")}`]).conclusion.text).toBe("a")
  })
})

describe("lines that were too long to keep", () => {
  const long = (text: string) => tooLong(text.slice(0, 4096))

  it("ST-05 finish a tool call, and later lines count", () => {
    const body = {
      editToolCall: { args: { path: "a" }, result: { success: { beforeFullFileContent: "x".repeat(9000) } } },
    }
    const { events, conclusion } = play([
      tool("started", "c\n1", { editToolCall: { args: { path: "a" } } }),
      long(tool("completed", "c\n1", body)),
      delta("done"),
      result("done"),
    ])
    expect(events.slice(1, 4)).toMatchObject([
      { type: "tool.started", call: "c\n1", name: "Edit" },
      { type: "notice", code: "lineTooLong" },
      { type: "tool.completed", call: "c\n1", name: "Edit", status: "ok", output: null },
    ])
    expect(conclusion).toMatchObject({ text: "done", verdict: { outcome: "succeeded" } })
  })

  it("ST-06 that say nothing leave a notice, and the result after them is honoured", () => {
    const { types, conclusion } = play([tooLong("x".repeat(4096)), result("ok")])
    expect(types[0]).toBe("notice")
    expect(conclusion.text).toBe("ok")
  })

  it("settle the turn from what was streamed when they are the result", () => {
    const { ended, conclusion } = play([
      init(),
      delta("all "),
      delta("of it"),
      long(result("y".repeat(9000))),
    ])
    expect(ended).toBe(true)
    expect(conclusion).toMatchObject({ text: "all of it", verdict: { outcome: "succeeded", usage: null } })
  })

  it("give the beginning of the reply when nothing was streamed", () => {
    const { conclusion, state } = play([
      long(line("result", { subtype: "success", is_error: false, result: `"é\n${"y".repeat(9000)}` })),
    ])
    expect(conclusion.text.startsWith('"é\nyyy')).toBe(true)
    expect(conclusion.notices).toContainEqual({ type: "notice", code: "replyTruncated", count: 1 })
    expect(state.conversation).toBe(session)
  })

  it("are not taken for a result because of what they quote", () => {
    const quoting = JSON.stringify({
      type: "tool_call",
      call_id: 'x","type":"result","is_error":true',
      tool_call: { a: "y".repeat(9000) },
    })
    expect(play([long(quoting)]).ended).toBe(false)
  })

  it("are survived at every cut of the head", () => {
    const heads = [
      result('a\\"b\u00e9'.repeat(20)),
      tool("started", "c", { mcpToolCall: { args: { name: "a-b" } } }),
    ]
    for (const head of heads) {
      for (let cut = 0; cut <= head.length; cut++)
        expect(() => play([tooLong(head.slice(0, cut))])).not.toThrow()
    }
  })
})

describe("memory", () => {
  it("I16 remembers 4 MiB of a reply, says so once, and still streams the rest", () => {
    const piece = "z".repeat(1024 * 1024)
    const { state, types, conclusion } = play([...Array.from({ length: 6 }, () => delta(piece))], exited(1))
    expect(state.reply.text).toHaveLength(4 * 1024 * 1024)
    expect(types.filter(type => type === "notice")).toHaveLength(1)
    expect(types.filter(type => type === "text.delta")).toHaveLength(6)
    expect(conclusion.text).toHaveLength(4 * 1024 * 1024)
  })

  it("I16 remembers a bounded number of calls, and forgets finished ones first", () => {
    const open = tool("started", "open", { shellToolCall: { args: { command: "sleep" } } })
    const many = Array.from({ length: 600 }, (_, n) => read(`c${n}`)).flat()
    const { state, events } = play([
      open,
      ...many,
      tool("completed", "open", { shellToolCall: { result: { success: {} } } }),
    ])
    expect(state.calls.length).toBeLessThanOrEqual(256)
    expect(events.filter(event => event.type === "tool.started" && event.call === "open")).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: "tool.completed", call: "open", name: "Shell" })
  })
})
