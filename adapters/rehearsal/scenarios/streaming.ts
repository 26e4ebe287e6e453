/** Field cases ST, events: which lines come, in which order, and what they mean. */
import type { Step } from "../scenario.ts"
import { emit, ended, good, opening, resultEvent, type Scenarios, says, turn } from "./parts.ts"

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
  "st-16": { about: "Success with nothing to say.", expect: ended, turns: good() },
  "st-17": { about: "A result, then the end of the process.", expect: ended, turns: good(says("Hello.")) },
  "st-17-error": {
    about: "A failed result, and exit 0.",
    expect: ended,
    turns: turn(...opening, { do: "result", isError: true, subtype: "success", text: "Request timed out" }),
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
