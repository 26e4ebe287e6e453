/** Field cases X: oddities worth a scenario each. */
import { emit, ended, good, opening, type Scenarios, says, turn } from "./parts.ts"

export const oddities: Scenarios = {
  x1: {
    about: "Twelve seconds before the first line.",
    expect: ended,
    starts: turn({ do: "wait", ms: 12_000 }),
    turns: good(says("Good morning.")),
  },
  x2: { about: "Nothing at all, and exit 0.", expect: { exit: 0, result: false }, turns: turn() },
  x4: {
    about: "Events after the result.",
    expect: ended,
    turns: turn(
      ...opening,
      { do: "tool", kind: "shell", callId: "toolu_late", only: "started", args: { command: "sleep 1" } },
      says("Done."),
      { do: "result" },
      { do: "tool", kind: "shell", callId: "toolu_late", only: "completed", value: { exitCode: 0 } },
      emit({ type: "system", subtype: "task_notification", session_id: "$SESSION" }),
    ),
  },
  x6: {
    about: "Two thousand deltas, for readers that are slow or leave.",
    expect: ended,
    turns: good({ do: "text", text: "word ".repeat(2000), chunks: 2000 }),
  },
  x7: { about: "The prompt is the reply.", expect: ended, turns: good({ do: "echoPrompt", chunks: 3 }) },
}
