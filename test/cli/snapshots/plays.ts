/** What the agent plays in these stories. Pieces are whole, call ids are given, so that every run prints the same. */
import type { Scenario, Step, StepOf } from "../../../adapters/rehearsal/index.ts"

const opening: readonly Step[] = [{ do: "init" }, { do: "user" }]
const says = (text: string): Step => ({ do: "text", text, chunks: 2 })
/** One piece: who waits for it on the screen finds it in one piece there. */
const saysAtOnce = (text: string): Step => ({ do: "text", text })
const result: Step = { do: "result" }
const gate = (name: string): Step => ({ do: "waitForFile", path: `$CWD/${name}` })
const edits: Step = {
  do: "tool",
  kind: "edit",
  callId: "call_1",
  args: { path: "notes.md" },
  append: "- $PROMPT\n",
  real: true,
}
const play = (...steps: readonly Step[]): Scenario => ({ turns: [{ steps: [...opening, ...steps] }] })

export const withTool = play(says("I'll leave a note. "), edits, says("The note is there."), result)
export const thanks = play(says("You are welcome."), result)
export const empty = play(result)
export const degraded = play(says("The answer is 42."), {
  do: "result",
  isError: true,
  subtype: "error",
  text: "ConnectError: [resource_exhausted] Error",
})
const refusedTool = (
  callId: string,
  kind: string,
  result: string,
  args: NonNullable<StepOf<"tool">["args"]>,
): Step => {
  return { do: "tool", kind, callId, args, result, value: { reason: "Not allowed here" } }
}
export const denied = play(
  refusedTool("call_1", "shell", "permissionDenied", { command: "git push" }),
  refusedTool("call_2", "askQuestion", "rejected", { questions: [{ id: "q1", prompt: "Which branch?" }] }),
  refusedTool("call_3", "shell", "failure", { command: "false" }),
  says("I could not push."),
  result,
)
export const exits = play(says("I'll start with"), { do: "exit", code: 7 })

export const silent: Scenario = { turns: [{ steps: [{ do: "hang" }] }] }

export const half = "The first half, "
/** Waits at the gate `go` in the middle of its reply, with its tool behind it. */
export const gated = play(edits, saysAtOnce(half), gate("go"), says("and the second."), result)
/** As `gated`, and nothing but SIGKILL moves it. */
export const stubborn: Scenario = {
  turns: [
    {
      steps: [
        { do: "ignoreSignals", signals: ["SIGINT", "SIGTERM", "SIGHUP"] },
        ...opening,
        edits,
        saysAtOnce(half),
        gate("never"),
      ],
    },
  ],
}
