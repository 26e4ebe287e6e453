import { describe, expect, it } from "vitest"
import { AgentRefusal } from "../../../adapters/agents/common/refusal.ts"
import { throughCmd, treeKill } from "../../../adapters/agents/common/windows.ts"
import { cursor } from "../../../adapters/agents/index.ts"
import { session } from "./support.ts"

const request = { model: "auto", cwd: "/w", resume: null, approveMcps: false, configDir: "/c" }
const invoke = (change: object = {}, options = {}) =>
  cursor(options).invocation("/bin/cursor-agent", { ...request, ...change }, { CURSOR_API_KEY: "k-secret" })

/** The code of what is thrown. */
const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(AgentRefusal)
    return error instanceof AgentRefusal ? `${error.kind} ${error.code}` : ""
  }
  return "nothing was refused"
}

describe("the command line of a turn", () => {
  it("says everything explicitly, and neither prompt nor key", () => {
    expect(invoke()).toEqual({
      binary: "/bin/cursor-agent",
      args: [
        ...["-p", "--output-format", "stream-json", "--stream-partial-output", "--force", "--trust"],
        ...["--model", "auto"],
      ],
      env: { CURSOR_CONFIG_DIR: "/c" },
    })
  })

  it("RS-07 resumes an explicit id, and CF-05 approves servers only when asked to", () => {
    const { args } = invoke(
      { model: "gpt-5.4", resume: session, approveMcps: true },
      { extraArgs: ["--mode", "ask"] },
    )
    expect(args.slice(6)).toEqual([
      ...["--model", "gpt-5.4", "--resume", session, "--approve-mcps", "--mode", "ask"],
    ])
  })

  it.each(["", "-f", "a b", "a\nb", "a\u0000", "a\u00a0b", "\u202eevil", "x".repeat(129)])(
    "refuses the model %j",
    model => {
      expect(refusal(() => invoke({ model }))).toBe("config MODEL_INVALID")
    },
  )

  it.each(["", "--force", "a b", "a\tb", "\u2028", "x".repeat(300)])("refuses to resume %j", resume => {
    expect(refusal(() => invoke({ resume }))).toBe("config CONVERSATION_ID_INVALID")
  })

  it.each([
    ...[["-w"], ["--worktree=x"], ["-pf"], ["-tw"], ["--output-format", "text"], ["--output-format=text"]],
    ...[
      ["--resume", "x"],
      ["--continue"],
      ["--api-key=k"],
      ["--API-KEY=k"],
      ["-H", "a: b"],
      ["--approve-mcps"],
    ],
    ...[["--workspace", "/"], ["--model=x"], ["--printenv"], ["-c"], ["--add-dir", "/a", "--yolo"]],
  ])("WT-07 reserves %s", (...extraArgs) => {
    expect(refusal(() => cursor({ extraArgs }))).toBe("config RESERVED_FLAG")
  })

  it.each([
    ["help"],
    ["--mode"],
    ["--mode", "--sandbox"],
    ["--new-flag", "value"],
    ["--"],
    ["-"],
    [""],
    ["--x=\n"],
  ])("refuses arguments that would be read otherwise: %s", (...extraArgs) => {
    expect(refusal(() => cursor({ extraArgs }))).toBe("config ARGUMENT_INVALID")
  })

  it("lets other flags through, with their values", () => {
    const extraArgs = ["--add-dir", "/a b", "--sandbox=enabled", "--exclude-tools", "webSearchToolCall"]
    expect(invoke({}, { extraArgs }).args.slice(-5)).toEqual(extraArgs)
  })
})

describe("PL-13 on Windows", () => {
  const cmd = "C:\\Windows\\System32\\cmd.exe"
  const through = (binary: string, args: readonly string[]) => throughCmd({ binary, args, env: {} }, cmd)

  it("starts a shim in quotes that survive spaces", () => {
    expect(through("C:\\Program Files\\agent.cmd", ["--add-dir", "C:\\My Work\\", "-p"])).toEqual({
      binary: cmd,
      args: ["/d", "/s", "/c", '""C:\\Program Files\\agent.cmd" "--add-dir" "C:\\My Work\\\\" "-p""'],
      env: {},
      verbatim: true,
    })
  })

  it.each(["%PATH%", "a&b", "a|b", "a>b", "<a", "a^b", 'a"b', "a!b", "a\r\nb"])(
    "refuses what cmd would interpret: %j",
    word => {
      expect(refusal(() => through("C:\\a.cmd", [word]))).toBe("config ARGUMENT_UNSAFE")
      expect(refusal(() => through(`C:\\${word}\\a.cmd`, []))).toBe("config ARGUMENT_UNSAFE")
    },
  )

  it("ends a tree", () => {
    expect(treeKill(42)).toEqual({ binary: "taskkill", args: ["/PID", "42", "/T", "/F"] })
    for (const pid of [0, -1, 1.5, Number.NaN])
      expect(refusal(() => treeKill(pid))).toBe("config PID_INVALID")
  })
})
