import { describe, expect, it } from "vitest"
import { childEnvironment } from "../../../adapters/agents/common/environment.ts"
import { cursor, rehearsal } from "../../../adapters/agents/index.ts"

const host = {
  PATH: "/bin",
  HOME: "/home/ada",
  LC_ALL: "C",
  XDG_CONFIG_HOME: "/x",
  HTTPS_PROXY: "http://p",
  CURSOR_API_KEY: "  k-secret\n",
  CURSOR_AGENT: "1",
  CURSOR_CONFIG_DIR: "/operator",
  CURSOR_USER_EMAIL: "a@b.c",
  CLAUDECODE: "1",
  CLAUDE_PROJECT_DIR: "/p",
  ANTHROPIC_API_KEY: "no",
  OPENAI_API_KEY: "no",
  NODE_OPTIONS: "--inspect",
  AWS_SECRET_ACCESS_KEY: "no",
  MY_TOOL_HOME: "/t",
  UNSET: undefined,
}

describe("the child's environment", () => {
  it("is built clean, with the trimmed key", () => {
    expect(cursor().childEnvironment(host)).toEqual({
      PATH: "/bin",
      HOME: "/home/ada",
      LC_ALL: "C",
      XDG_CONFIG_HOME: "/x",
      HTTPS_PROXY: "http://p",
      CURSOR_API_KEY: "k-secret",
      NO_OPEN_BROWSER: "1",
      NO_COLOR: "1",
    })
  })

  it.each(["", "  ", "\n"])("never exports an empty key: %j", CURSOR_API_KEY => {
    expect(cursor().childEnvironment({ ...host, CURSOR_API_KEY })).not.toHaveProperty("CURSOR_API_KEY")
    expect(cursor({ apiKey: CURSOR_API_KEY }).childEnvironment(host)).not.toHaveProperty("CURSOR_API_KEY")
  })

  it("takes the host's own key before that of the environment", () => {
    expect(cursor({ apiKey: " mine " }).childEnvironment(host)).toHaveProperty("CURSOR_API_KEY", "mine")
  })

  it("lets through what the host names, and never what says that it is nested", () => {
    expect(cursor({ passEnvironment: ["MY_TOOL_HOME"] }).childEnvironment(host)).toHaveProperty(
      "MY_TOOL_HOME",
      "/t",
    )
    for (const name of [
      "CURSOR_AGENT",
      "CLAUDECODE",
      "claudecode",
      "CLAUDE_CODE_ENTRYPOINT",
      "CURSOR_CONFIG_DIR",
    ]) {
      expect(() => cursor({ passEnvironment: [name] })).toThrow(/inside another/)
    }
  })

  it("does not tell upper from lower case on Windows", () => {
    const options = {
      platform: "win32",
      ownVariables: ["CURSOR_API_KEY"],
      passEnvironment: [],
      set: { NO_COLOR: "1" },
    } as const
    const env = { Path: "C:\\", SystemRoot: "C:\\W", Cursor_Api_Key: " k ", no_color: "0", CLAUDECODE: "1" }
    expect(childEnvironment(env, options)).toEqual({
      Path: "C:\\",
      SystemRoot: "C:\\W",
      Cursor_Api_Key: "k",
      NO_COLOR: "1",
    })
  })

  it("of a rehearsal has its own variables, overridden by options, and no key", () => {
    const env = { ...host, HOLDFAST_REHEARSAL: "a", HOLDFAST_REHEARSAL_JOURNAL: "/j" }
    expect(rehearsal().childEnvironment(env)).toMatchObject({
      HOLDFAST_REHEARSAL: "a",
      HOLDFAST_REHEARSAL_JOURNAL: "/j",
    })
    const child = rehearsal({ scenario: "b", journal: "/k", pace: 0 }).childEnvironment(env)
    expect(child).toMatchObject({
      ...{ HOLDFAST_REHEARSAL: "b", HOLDFAST_REHEARSAL_JOURNAL: "/k", HOLDFAST_REHEARSAL_PACE: "0" },
    })
    expect(child).not.toHaveProperty("CURSOR_API_KEY")
  })
})

describe("the key", () => {
  it("has to be there before anything is spawned", () => {
    expect(cursor().checkKey(host)).toBeNull()
    expect(cursor().checkKey({ CURSOR_AUTH_TOKEN: "t" })).toBeNull()
    expect(cursor({ apiKey: "k" }).checkKey({})).toBeNull()
    expect(cursor({ acceptLogin: true }).checkKey({})).toBeNull()
    expect(rehearsal().checkKey({})).toBeNull()
    for (const env of [{}, { CURSOR_API_KEY: " " }]) {
      expect(cursor().checkKey(env)).toMatchObject({ kind: "auth", code: "KEY_MISSING", retryable: false })
    }
  })

  it("is in nothing that is written down", () => {
    const agent = cursor({ apiKey: "k-secret" })
    const request = { model: "auto", cwd: "/w", resume: null, approveMcps: false, configDir: "/c" }
    expect(JSON.stringify(agent.invocation("/b", request, host))).not.toContain("k-secret")
    expect(agent.secretVariables).toEqual(["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN"])
  })
})
