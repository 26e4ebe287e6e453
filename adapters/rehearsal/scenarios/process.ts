/** Field cases PL: how the process lives, hangs, ends, and what it leaves behind. */
import type { Step } from "../scenario.ts"
import { failures } from "./failures.ts"
import { ended, failed, good, hanging, opening, type Scenarios, says, turn } from "./parts.ts"

const rejectedShell: Step = {
  do: "tool",
  kind: "shell",
  args: { command: "npm test", workingDirectory: "" },
  result: "rejected",
  value: { command: "npm test", workingDirectory: "$CWD", reason: "", isReadonly: false },
}
const go: Step = { do: "waitForFile", path: "$CWD/holdfast-go" }

export const processes: Scenarios = {
  "pl-01": {
    about: "The result is there, the process never ends.",
    expect: { hangs: true, result: true },
    turns: [{ steps: [...opening, says("All done."), { do: "result" }, { do: "hang" }] }],
  },
  "pl-01-stdout-held": {
    about: "The process ends, and somebody else still holds its stdout.",
    expect: ended,
    turns: good(says("All done."), { do: "holdStdoutOpen", lifeMs: 20_000 }),
  },
  "pl-02": {
    about: "A prompt in the arguments: ends only when its stdin does.",
    expect: { ...ended, args: ["say hello"] },
    turns: [{ steps: [...opening, says("Hello."), { do: "result" }, { do: "waitForStdinEnd" }] }],
  },
  "pl-03": {
    about: "Silence in the middle, with no tool call open.",
    expect: hanging,
    turns: turn(...opening, { do: "thinking", text: "Let me see." }, says("I'll look at"), { do: "hang" }),
  },
  "pl-04": {
    about: "Six minutes of silence inside a tool call that asked for ten.",
    expect: ended,
    turns: good(
      says("Running the tests."),
      {
        do: "tool",
        kind: "shell",
        args: { command: "npm test", workingDirectory: "", timeout: 600_000 },
        value: {
          command: "npm test",
          exitCode: 0,
          signal: "",
          stdout: "ok",
          stderr: "",
          executionTime: 370_000,
        },
        waitMs: 370_000,
      },
      says("They pass."),
    ),
  },
  "pl-06": {
    about: "A megabyte that ends in the result, and an immediate exit.",
    expect: ended,
    turns: turn(
      ...opening,
      { do: "text", text: "$FILL:1048576", chunks: 16 },
      { do: "result" },
      { do: "exit", code: 0 },
    ),
  },
  "pl-07": {
    about: "Takes no notice of signals and goes on talking.",
    expect: hanging,
    turns: turn(
      { do: "ignoreSignals", signals: ["SIGINT", "SIGTERM", "SIGHUP"] },
      ...opening,
      { do: "text", text: "and so on, ".repeat(200), chunks: 200, waitMs: 100 },
      { do: "hang" },
    ),
  },
  "pl-07-child": {
    about: "A child in a session of its own that takes no notice either.",
    expect: ended,
    turns: good(
      { do: "spawn", command: "sleep 20", detached: true, ignoreSignals: ["SIGINT", "SIGTERM", "SIGHUP"] },
      says("I left something behind."),
    ),
  },
  "pl-09": {
    about: "Is still at work when its host is gone, and goes on when `holdfast-go` appears in the workspace.",
    expect: hanging,
    turns: good(
      says("Before. "),
      { do: "tool", kind: "edit", args: { path: "before.txt" }, append: "turn $TURN\n", real: true },
      go,
      { do: "tool", kind: "edit", args: { path: "after.txt" }, append: "turn $TURN\n", real: true },
      says("After."),
    ),
  },
  "pl-11": {
    about: "Any prompt, however long; the journal has its digest.",
    expect: ended,
    turns: good(says("Read.")),
  },
  "pl-12": {
    about: "A megabyte of stderr before the first line.",
    expect: ended,
    turns: [
      {
        steps: [
          { do: "flood", bytes: 1024 * 1024, fd: 2, newline: true },
          ...opening,
          says("Hi."),
          { do: "result" },
        ],
      },
    ],
  },
  "pl-15": {
    about: "Every tool was rejected.",
    expect: ended,
    turns: good(rejectedShell, rejectedShell, says("I was not allowed to run anything.")),
  },
  "pl-17": failures["chat-busy"],
  "worker-server": {
    about: "Leaves a shared daemon behind, without the run's marker.",
    expect: ended,
    turns: good({ do: "spawn", command: "sleep 20", detached: true, dropMarker: true }, says("Done.")),
  },
  "truncates-stdout": {
    about: "A script of the agent wrote to /dev/stdout with `>`.",
    expect: ended,
    turns: good(says("Gone from the file. "), { do: "truncateOwnStdout" }, says("Still there.")),
  },
  "closes-stdout": {
    about: "Closes stdout in the middle and goes on working.",
    expect: failed,
    turns: turn(
      ...opening,
      says("Half a "),
      { do: "closeStdout" },
      says("reply."),
      { do: "result" },
      { do: "exit", code: 1 },
    ),
  },
  crash: {
    about: "Dies of a fault of its own.",
    expect: { signal: "SIGSEGV", result: false },
    turns: turn(...opening, says("Oh"), { do: "signal", name: "SIGSEGV" }),
  },
}
