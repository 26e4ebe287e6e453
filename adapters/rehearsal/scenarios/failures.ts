/** One scenario for every way in which the CLI is known to refuse or to break off. */
import * as refusals from "../refusals.ts"
import {
  ended,
  failed,
  good,
  hanging,
  opening,
  refused,
  refusedLate,
  type Scenarios,
  says,
  turn,
} from "./parts.ts"

const plain = good(says("Done."))

/** The trust text, in a turn: only there the folder is known. */
const trustText = refusals.workspaceTrust("$CWD")

export const failures = {
  "not-logged-in": {
    expect: failed,
    account: { keyRequired: true },
    turns: plain,
  },
  "not-logged-in-older": {
    expect: failed,
    starts: turn(...refused(refusals.authenticationRequiredOlder)),
    turns: plain,
  },
  "invalid-key": {
    expect: { ...failed, env: { CURSOR_API_KEY: "key_wrong" } },
    account: { validKeys: ["key_right"] },
    turns: plain,
  },
  "empty-key": {
    expect: { ...failed, env: { CURSOR_API_KEY: "" } },
    turns: plain,
  },
  "models-unauthenticated": {
    expect: { ...failed, args: ["--list-models"] },
    account: { keyRequired: true },
    turns: plain,
  },
  "keychain-locked": {
    about: "[text not recorded]",
    expect: failed,
    starts: turn(...refused("Error: Could not read credentials: the macOS keychain is locked.\n")),
    turns: plain,
  },
  "unknown-model": {
    expect: { ...failed, args: ["--model", "claude-opus-3"] },
    turns: plain,
  },
  "free-plan": {
    expect: { ...failed, args: ["--model", "composer-2.5"] },
    account: { plan: "free" },
    turns: plain,
  },
  "free-plan-late": {
    about: "The same refusal after the session had begun.",
    expect: failed,
    turns: turn(...refusedLate(refusals.namedModelOnFreePlan)),
  },
  "quota-free": { expect: failed, turns: turn(...refusedLate(refusals.usageLimitFree)) },
  "quota-paid": { expect: failed, turns: turn(...refusedLate(refusals.usageLimitPaid)) },
  "rate-limit": {
    expect: failed,
    turns: turn(
      ...opening,
      says("I'll start with"),
      ...refused("ConnectError: [resource_exhausted] Error\n"),
    ),
  },
  "rate-limit-early": {
    expect: failed,
    turns: turn(...refusedLate("ConnectError: [resource_exhausted] Error\n")),
  },
  "rate-limit-retriable": {
    expect: failed,
    turns: turn(...refusedLate("RetriableError: [resource_exhausted] Error\n")),
  },
  "rate-limit-exit-0": {
    about: "The text on stdout instead of an event, and exit 0.",
    expect: { exit: 0, result: false },
    turns: turn(...opening, { do: "raw", utf8: "T: [resource_exhausted] Error\n" }),
  },
  untrusted: { expect: failed, turns: turn(...refused(trustText)) },
  "untrusted-exit-0": {
    expect: { exit: 0, result: false },
    turns: turn({ do: "stderr", text: trustText }),
  },
  "untrusted-hangs": { expect: hanging, turns: turn({ do: "stderr", text: trustText }, { do: "hang" }) },
  "config-race": {
    expect: failed,
    starts: turn(...refused(refusals.configRace("$CONFIG"))),
    turns: plain,
  },
  "config-race-once": {
    about: "The first start in a configuration folder loses the race, the others do not.",
    expect: failed,
    starts: [{ when: { startsUpTo: 1 }, steps: refused(refusals.configRace("$CONFIG")) }],
    turns: plain,
  },
  "config-race-windows": {
    expect: failed,
    starts: turn(...refused(refusals.configRaceWindows)),
    turns: plain,
  },
  "malformed-resume": { expect: { ...failed, args: ["--resume", "do-it"] }, turns: plain },
  "unknown-chat": {
    about: "A valid id that nobody knows: an empty chat, in silence.",
    expect: { ...ended, args: ["--resume", "0b7d7a52-4a1c-4c56-9c5e-5a1f3a4e8d10"] },
    turns: good(says("How can I help? This is turn $TURN of chat $SESSION.")),
  },
  "chat-busy": {
    about: "Holds its chat until it is told to go on; a second process on the same chat is turned away.",
    expect: hanging,
    turns: good({ do: "waitForFile", path: "$CWD/holdfast-go" }, says("Done.")),
  },
  sigint: {
    about: "Gets a SIGINT in the middle of its reply.",
    expect: { exit: 130, result: false },
    turns: good(says("I am about to be"), { do: "signal", name: "SIGINT" }),
  },
  sigterm: {
    expect: { exit: 143, result: false },
    turns: good(says("I am about to be"), { do: "signal", name: "SIGTERM" }),
  },
  sigkill: {
    expect: { signal: "SIGKILL", result: false },
    turns: good(says("I am about to be"), { do: "signal", name: "SIGKILL" }),
  },
  denied: {
    about: "A tool was denied, a question skipped, a shell command failed: a success all the same.",
    expect: ended,
    turns: good(
      {
        do: "tool",
        kind: "shell",
        args: { command: "git push", workingDirectory: "" },
        result: "permissionDenied",
        value: { command: "git push", error: "Command is blocked by a deny rule" },
      },
      {
        do: "tool",
        kind: "askQuestion",
        args: { questions: [{ id: "q1", prompt: "Which branch?" }] },
        result: "rejected",
        value: { reason: "Questions skipped by the user, continue with the information you already have" },
      },
      {
        do: "tool",
        kind: "shell",
        args: { command: "false", workingDirectory: "" },
        result: "failure",
        value: {
          command: "false",
          workingDirectory: "$CWD",
          exitCode: 1,
          signal: "",
          stdout: "",
          stderr: "",
        },
      },
      says("I could not push."),
    ),
  },
  "network-down": {
    about: "[unverified]",
    expect: failed,
    turns: turn(
      ...refused("Connection failed. Check your internet connection.\nConnectError: [unavailable] Error\n"),
    ),
  },
  "context-overflow": {
    about: "[unverified]",
    expect: failed,
    turns: turn(...refusedLate("Error: Prompt is too long: context length exceeded\n")),
  },
  reconnecting: {
    about: "The transport drops and the CLI gets over it by itself; the segment is sent again.",
    expect: ended,
    turns: good(
      says("Let me look"),
      { do: "emit", event: { type: "connection", subtype: "reconnecting", session_id: "$SESSION" } },
      {
        do: "emit",
        event: { type: "retry", subtype: "starting", session_id: "$SESSION", attempt: 1, is_resume: true },
      },
      { do: "emit", event: { type: "retry", subtype: "resuming", attempt: 1, checkpoint_turn_count: 2 } },
      { do: "emit", event: { type: "connection", subtype: "reconnected", session_id: "$SESSION" } },
      says(" at the file."),
    ),
  },
} satisfies Scenarios
