/** Field cases ST: what a stream can look like and still be a stream. */
import type { Step } from "../scenario.ts"
import {
  delta,
  emit,
  ended,
  good,
  initEvent,
  opening,
  resultEvent,
  type Scenarios,
  says,
  turn,
} from "./parts.ts"

const readTool: Step = {
  do: "tool",
  kind: "read",
  args: { path: "README.md" },
  value: {
    content: "# Hello\n",
    isEmpty: false,
    exceededLimit: false,
    totalLines: 1,
    totalChars: 8,
    path: "README.md",
  },
}
const everyWidth = "a é 漢 😀 👩‍💻 한국어 ñ ￼ end"
const noise = "A new version is available. Run `agent update`.\n\nUsing worktree: /tmp/worktrees/x\n"

export const streaming: Scenarios = {
  "st-01": {
    expect: ended,
    turns: good({ do: "text", pieces: ["A", "B"] }, readTool, { do: "text", pieces: ["C"] }),
  },
  "st-01-whole-turn": {
    about: "The last flush repeats the whole turn.",
    expect: ended,
    turns: turn(
      ...opening,
      { do: "text", pieces: ["A", "B"] },
      readTool,
      { do: "text", pieces: ["C"] },
      { do: "result", flush: "turn" },
    ),
  },
  "st-02": {
    about: "Identical neighbours, and a delta that has been said before.",
    expect: ended,
    turns: good({ do: "text", pieces: ["```", "\n", "\n", "ha", "ha", "ha", "\n", "```", "```", "ha"] }),
  },
  "st-03": {
    about: "Characters of one to four bytes, every line written byte by byte.",
    expect: ended,
    framing: { splitBytes: 1 },
    turns: turn({ do: "init" }, { do: "text", text: everyWidth, chunks: 4 }, { do: "result" }),
  },
  "st-03-no-newline": {
    expect: ended,
    framing: { splitBytes: 1, finalNewline: false },
    turns: turn(
      { do: "init" },
      { do: "stderr", text: "warning: ünïcode 漢😀\n" },
      { do: "text", text: everyWidth },
      { do: "result" },
    ),
  },
  "st-04": {
    about: "The replacement character, written on purpose.",
    expect: ended,
    turns: good(says("a \ufffd b")),
  },
  "st-05": {
    about: "One line of about 8 MiB, small ones after it.",
    expect: ended,
    turns: good(
      {
        do: "tool",
        kind: "edit",
        args: { path: "big.txt" },
        value: {
          path: "big.txt",
          linesAdded: 1,
          linesRemoved: 1,
          diffString: "",
          beforeFullFileContent: "$FILL:4194304",
          afterFullFileContent: "$FILL:4194304",
        },
      },
      says("Still here."),
    ),
  },
  "st-06": {
    about: "64 MiB without a newline, and nothing after it.",
    expect: { exit: 0, result: false },
    turns: turn(...opening, { do: "flood", bytes: 64 * 1024 * 1024 }),
  },
  "st-06-line": {
    about: "A junk line of 17 MiB, then a good result.",
    expect: ended,
    turns: good({ do: "flood", bytes: 17 * 1024 * 1024, newline: true }, says("Still here.")),
  },
  "st-06-stderr": {
    about: "A stderr that never ends.",
    expect: { hangs: true, result: false },
    turns: turn(...opening, { do: "stderr", text: "warning: $FILL:4000\n", endless: true }),
  },
  "st-08": {
    about: "Event types were renamed.",
    expect: ended,
    turns: turn(
      ...opening,
      emit({
        type: "reasoning",
        subtype: "delta",
        text: "Hm.",
        session_id: "$SESSION",
        timestamp_ms: "$NOW",
      }),
      emit({ type: "tool_calls", subtype: "started", call_id: "toolu_1", session_id: "$SESSION" }),
      emit({ type: "tool_calls", subtype: "completed", call_id: "toolu_1", session_id: "$SESSION" }),
      emit(resultEvent("Done under new names.")),
    ),
  },
  "st-09": {
    about: "Events that a strict reader would not expect.",
    expect: ended,
    turns: good(
      emit({
        type: "interaction_query",
        subtype: "request",
        query_type: "createPlanRequestQuery",
        query: { id: 9, createPlanRequestQuery: { args: { name: "Plan", toolCallId: "toolu_9" } } },
        session_id: "$SESSION",
      }),
      emit({
        type: "interaction_query",
        subtype: "response",
        query_type: "createPlanRequestQuery",
        response: { id: 9, createPlanRequestResponse: { result: { success: {} }, planUri: "" } },
        session_id: "$SESSION",
      }),
      emit({ type: "system", subtype: "task_notification", session_id: "$SESSION" }),
      emit({ type: "system", subtype: "background_shell_timeout", session_id: "$SESSION" }),
      says("The plan is ready."),
    ),
  },
  "st-09-late-id": {
    about: "The session's id is on later lines only.",
    expect: ended,
    turns: turn({ do: "init", sessionId: false }, { do: "user" }, says("Hello."), { do: "result" }),
  },
  "st-11": {
    about: "A call id with a newline in it.",
    expect: ended,
    turns: good({ ...readTool, callId: "call_X\nfc_Y" }, says("Read.")),
  },
  "st-13": {
    about: "Escape sequences before, between and instead of JSON.",
    expect: ended,
    turns: turn(
      { do: "emit", event: initEvent, prefix: "\x1b[?2004h\x1b]0;agent\x07" },
      { do: "user" },
      { do: "raw", utf8: "\x1b[?25l\x1b[2K\n" },
      { do: "stderr", text: "\x1b[31mwarning:\x1b[39m something red\n" },
      { do: "emit", event: delta("Hello."), prefix: "\x1b[0m" },
      { do: "emit", event: resultEvent("Hello."), suffix: "\x1b[0m\n" },
    ),
  },
  "st-14": {
    about: "Notices around the stream.",
    expect: ended,
    turns: turn(
      { do: "raw", utf8: noise },
      ...opening,
      says("Hello."),
      { do: "result" },
      { do: "raw", utf8: noise },
    ),
  },
  "st-14-two-on-a-line": {
    about: "Two objects on one line.",
    expect: ended,
    turns: good(
      {
        do: "emit",
        event: { type: "retry", subtype: "starting", session_id: "$SESSION", attempt: 1, is_resume: true },
        suffix: " ",
      },
      emit({ type: "retry", subtype: "resuming", attempt: 1, checkpoint_turn_count: 2 }),
      says("Hello."),
    ),
  },
  "st-16": { about: "Success with nothing to say.", expect: ended, turns: good() },
  "st-17": { about: "A result, then the end of the process.", expect: ended, turns: good(says("Hello.")) },
  "st-17-error": {
    about: "A failed result, and exit 0.",
    expect: ended,
    turns: turn(...opening, { do: "result", isError: true, subtype: "success", text: "Request timed out" }),
  },
  "st-19": {
    about: "stderr mirrors stdout.",
    expect: ended,
    framing: { to: "both" },
    turns: good(says("Once.")),
  },
  "st-19-stderr-only": {
    expect: { exit: 0, result: false },
    framing: { to: "stderr" },
    turns: good(says("On the wrong side.")),
  },
  "st-20": {
    about: "Byte order mark, CRLF, blank lines, and no newline at the end.",
    expect: ended,
    framing: { lineEnd: "\r\n", byteOrderMark: true, finalNewline: false },
    turns: turn({ do: "init" }, { do: "raw", utf8: "\r\n\r\n" }, { do: "user" }, says("Hello."), {
      do: "result",
    }),
  },
  "edit-streaming": {
    about: "`started` is repeated for one call while the edit grows; a doubled `completed`.",
    expect: ended,
    turns: good(
      {
        do: "tool",
        kind: "edit",
        callId: "toolu_e",
        only: "started",
        args: { path: "a.txt", streamContent: "on" },
      },
      {
        do: "tool",
        kind: "edit",
        callId: "toolu_e",
        only: "started",
        args: { path: "a.txt", streamContent: "one\n" },
      },
      {
        do: "tool",
        kind: "edit",
        callId: "toolu_e",
        only: "completed",
        value: { path: "a.txt", linesAdded: 1 },
      },
      {
        do: "tool",
        kind: "edit",
        callId: "toolu_e",
        only: "completed",
        value: { path: "a.txt", linesAdded: 1 },
      },
      says("Edited."),
    ),
  },
  "parallel-tools": {
    about:
      "Two calls under one model call, ending in the other order; one `completed` without its arguments.",
    expect: ended,
    turns: good(
      { do: "tool", kind: "read", callId: "toolu_1", only: "started", args: { path: "a.txt" } },
      { do: "tool", kind: "grep", callId: "toolu_2", only: "started", args: { pattern: "x", path: "." } },
      { do: "tool", kind: "grep", callId: "toolu_2", only: "completed", value: { workspaceResults: {} } },
      {
        do: "tool",
        kind: "read",
        callId: "toolu_1",
        only: "completed",
        omitArgs: true,
        value: { content: "" },
      },
      says("Both are back."),
    ),
  },
}
