/** What the agents of these tests play: a reply in two halves, with a gate between that the test opens. */
import type { Scenario, Step } from "../../../adapters/rehearsal/index.ts"

export const before = "Before the crash, line one.\nLine two. "
export const after = "And after it: the rest of the answer."

const opening: readonly Step[] = [{ do: "init" }, { do: "user" }]
const says = (text: string, chunks = 4): Step => ({ do: "text", text, chunks })

/** The agent tells that it got here, and goes on when the test says so. */
export const gate = (name: string): readonly Step[] => [
  { do: "touchFile", path: `$CWD/at-${name}` },
  { do: "waitForFile", path: `$CWD/go-${name}` },
]

export const turn = (...steps: readonly Step[]): Scenario => ({ turns: [{ steps }] })

/** Says one half, waits, says the other. */
export const twoHalves = turn(...opening, says(before), ...gate("middle"), says(after), { do: "result" })

/** As `twoHalves`, and stands still before its first word. */
export const lateStarter = turn(...gate("start"), ...opening, says(before), says(after), { do: "result" })

/** Stands still in the middle of a tool call. */
export const inTool = turn(
  ...opening,
  says(before),
  {
    do: "tool",
    kind: "shell",
    args: { command: "make", workingDirectory: "" },
    callId: "c1",
    only: "started",
  },
  ...gate("middle"),
  { do: "tool", kind: "shell", callId: "c1", only: "completed", value: { exitCode: 0 } },
  says(after),
  { do: "result" },
)

/** One half, and then the given end instead of the other. */
export const endsWith = (...end: readonly Step[]): Scenario =>
  turn(...opening, says(before), ...gate("middle"), ...end)

/** The whole answer and its terminal line, and then the given end. */
export const answersThen = (...end: readonly Step[]): Scenario =>
  turn(...opening, says(before), ...gate("middle"), says(after), { do: "result" }, ...end)

/** Never waits. */
export const short = turn(...opening, says(before), says(after), { do: "result" })
