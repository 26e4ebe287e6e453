/** Codex behind the port: its command line, its private folder, its key, and whether it still has a conversation. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type CodexOptions, codex } from "../../../adapters/agents/index.ts"
import { thread } from "./support.ts"

let root = ""
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "codex-adapter-"))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const place = async (path: string, text: string, mode = 0o644) => {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  await chmod(file, mode)
  return file
}
const keyed = { PATH: "/bin", HOME: "/home/me", CODEX_API_KEY: " a-key " }
const request = { model: "auto", cwd: "/w", resume: null, approveMcps: false, configDir: "/state/agents/s" }
const line = (options: CodexOptions = {}, more: object = {}) =>
  codex(options).invocation("/bin/codex", { ...request, ...more }, keyed)

describe("the command line", () => {
  it("is the same each time, reads the prompt from stdin, and has no secret in it", () => {
    const { binary, args, env } = line()
    expect(binary).toBe("/bin/codex")
    expect(env).toEqual({ CODEX_HOME: "/state/agents/s" })
    expect(args.slice(0, 5)).toEqual([
      "exec",
      "--json",
      "--sandbox",
      "workspace-write",
      "--skip-git-repo-check",
    ])
    expect(args).not.toContain("--model")
    expect(args.at(-1)).toBe("-")
    expect(args.join(" ")).not.toContain("a-key")
    expect(line()).toEqual(line())
  })

  it("names the model and the conversation, in the order that Codex reads", () => {
    const { args } = line({}, { model: "gpt-5.5", resume: thread })
    expect(args.slice(args.indexOf("--model"), args.indexOf("--model") + 2)).toEqual(["--model", "gpt-5.5"])
    expect(args.slice(-3)).toEqual(["resume", thread, "-"])
  })

  it("keeps the key from the model's commands, and looks for no plugins in a folder of its own", () => {
    const { args } = line({ keyVariables: ["MY_KEY"] })
    expect(args).toContain('shell_environment_policy.exclude=["CODEX_API_KEY","OPENAI_API_KEY","MY_KEY"]')
    expect(args).toContain("features.plugins=false")
    expect(line({ acceptLogin: true }).args).not.toContain("features.plugins=false")
  })

  it("hands settings over as TOML, and the caller's win", () => {
    const { args } = line({
      config: {
        "features.plugins": true,
        model_providers: { mine: { name: 'say "hi"', base_url: "http://127.0.0.1:1/v1", retries: [1, 2] } },
      },
    })
    expect(args).toContain("features.plugins=true")
    expect(args).not.toContain("features.plugins=false")
    expect(args).toContain(
      'model_providers={"mine"={"name"="say \\"hi\\"","base_url"="http://127.0.0.1:1/v1","retries"=[1,2]}}',
    )
  })

  it.each<[string, CodexOptions["config"], string]>([
    ["a key that is no path", { "a b": 1 }, "CONFIG_KEY_INVALID"],
    ["what a session says", { model: "x" }, "RESERVED_FLAG"],
    ["a secret", { "model_providers.a.experimental_bearer_token": "s" }, "SECRET_IN_CONFIG"],
    ["a secret further down", { model_providers: { a: { api_key: "s" } } }, "SECRET_IN_CONFIG"],
    ["a control character", { a: "b\nc" }, "ARGUMENT_INVALID"],
    ["a number that is none", { a: Number.NaN }, "ARGUMENT_INVALID"],
  ])("refuses %s when the adapter is made", (_what, config = {}, code) => {
    expect(() => codex({ config })).toThrow(expect.objectContaining({ code }))
  })

  it("WT-07 a model or a conversation that would be a flag is refused", () => {
    expect(() => line({}, { model: "-m" })).toThrow(expect.objectContaining({ code: "MODEL_INVALID" }))
    expect(() => line({}, { resume: "--last" })).toThrow(
      expect.objectContaining({ code: "CONVERSATION_ID_INVALID" }),
    )
  })
})

describe("the key", () => {
  it("is needed, from any of its variables, and not where a login will do", () => {
    const none = { PATH: "/bin", CODEX_API_KEY: "  " }
    expect(codex().checkKey(none)).toMatchObject({ kind: "auth", code: "KEY_MISSING" })
    expect(codex().checkKey(keyed)).toBeNull()
    expect(codex({ keyVariables: ["MY_KEY"] }).checkKey({ MY_KEY: "k" })).toBeNull()
    expect(codex({ apiKey: "k" }).checkKey(none)).toBeNull()
    expect(codex({ acceptLogin: true }).checkKey(none)).toBeNull()
  })

  it("AU-05 another agent's key and the marks of nesting are not passed on", () => {
    const env = { ...keyed, CURSOR_API_KEY: "c", CODEX_SANDBOX: "seatbelt", CODEX_THREAD_ID: "t" }
    const child = codex().childEnvironment(env)
    expect(child).toMatchObject({ CODEX_API_KEY: "a-key", HOME: "/home/me" })
    for (const name of ["CURSOR_API_KEY", "CODEX_SANDBOX", "CODEX_THREAD_ID"])
      expect(child).not.toHaveProperty(name)
    expect(codex().secretVariables).toContain("CODEX_API_KEY")
  })
})

describe("the session's own folder", () => {
  it("begins with the operator's settings, without accounts, servers and programs", async () => {
    await place(
      "home/.codex/config.toml",
      [
        'model = "gpt-5.5"',
        "model_auto_compact_token_limit = 9",
        'notify = ["say"]',
        "[model_providers.mine]",
        'env_key = "MY_KEY"',
        'experimental_bearer_token = "top-secret"',
        "[model_providers.mine.http_headers]",
        'X-Key = "top-secret"',
        "[mcp_servers.docs.env]",
        'TOKEN = "top-secret"',
        '[projects."/w"]',
        'trust_level = "trusted"',
      ].join("\n"),
    )
    await place("home/.codex/AGENTS.md", "Be brief.\n")
    await place("home/.codex/auth.json", '{"OPENAI_API_KEY":"top-secret"}')
    const own = join(root, "own")
    await mkdir(own)
    await codex().seedConfig(own, { HOME: join(root, "home") })
    expect((await readdir(own)).sort()).toEqual(["AGENTS.md", "config.toml"])
    const settings = await readFile(join(own, "config.toml"), "utf8")
    expect(settings).toContain('model = "gpt-5.5"')
    expect(settings).toContain("model_auto_compact_token_limit = 9")
    expect(settings).toContain('env_key = "MY_KEY"')
    for (const gone of ["top-secret", "mcp_servers", "notify", "projects"])
      expect(settings).not.toContain(gone)

    await writeFile(join(own, "config.toml"), "# mine\n")
    await codex().seedConfig(own, { HOME: join(root, "home") })
    expect(await readFile(join(own, "config.toml"), "utf8")).toBe("# mine\n")
  })

  it("stays empty for settings that cannot be read, and is not used with a login", async () => {
    await place("broken/config.toml", "= no toml")
    const own = join(root, "own")
    await mkdir(own)
    await codex().seedConfig(own, { CODEX_HOME: join(root, "broken") })
    expect(await readdir(own)).toEqual([])
    const { env } = codex({ acceptLogin: true }).invocation(
      "/bin/codex",
      { ...request, configDir: own },
      { CODEX_HOME: join(root, "broken") },
    )
    expect(env).toEqual({ CODEX_HOME: join(root, "broken") })
  })
})

describe("a conversation", () => {
  const has = (resume: string) =>
    codex().hasConversation({ ...request, configDir: join(root, "own"), resume }, {})

  it("RS-01 is there when its rollout is, and gone when the store can be read and lacks it", async () => {
    expect(await has(thread)).toBe("unknown")
    await place(`own/sessions/2026/11/30/rollout-2026-11-30T10-00-00-${thread}.jsonl`, "{}\n")
    expect(await has(thread)).toBe("yes")
    expect(await has("01a0f3c2-0000-7c55-9a01-5f1d2c3b4a69")).toBe("no")
  })

  it("RS-01 an id that is none of Codex' would begin a new one, so it is as good as gone", async () => {
    await place("own/sessions/x", "")
    expect(await has("my-thread")).toBe("no")
  })
})

describe("the program", () => {
  const says = (text: string, exit = 0) => `#!/bin/sh\necho '${text}'\nexit ${exit}\n`

  it("is the option, then HOLDFAST_CODEX_BIN, then codex", async () => {
    const own = await place("bin/codex", says("codex-cli 1.0.0"), 0o755)
    const other = await place("other", says("codex-cli 2.0.0"), 0o755)
    const env = { PATH: join(root, "bin") }
    expect(await codex().locate(env)).toEqual({ binary: own })
    expect(await codex().locate({ ...env, HOLDFAST_CODEX_BIN: other })).toEqual({ binary: other })
    expect(await codex({ binary: own }).locate({ ...env, HOLDFAST_CODEX_BIN: other })).toEqual({
      binary: own,
    })
    expect(await codex().locate({ PATH: join(root, "none") })).toMatchObject({ code: "BINARY_NOT_FOUND" })
  })

  it("AU-02 says whether it is ready: by its key, or by its own login", async () => {
    const script =
      '#!/bin/sh\n[ "$1" = --version ] && echo "codex-cli 1.0.0" && exit 0\n[ -e "$CODEX_HOME/auth.json" ]\n'
    const binary = await place("codex", script, 0o755)
    const env = { PATH: process.env.PATH ?? "", CODEX_HOME: join(root, "operator") }
    const status = (options: CodexOptions, more = {}) =>
      codex({ binary, ...options }).status({ ...env, ...more })
    expect(await status({})).toMatchObject({ version: "codex-cli 1.0.0", obstacle: { code: "KEY_MISSING" } })
    expect(await status({}, { CODEX_API_KEY: "k" })).toMatchObject({ obstacle: null })
    expect(await status({ acceptLogin: true })).toMatchObject({ obstacle: { code: "NOT_LOGGED_IN" } })
    await place("operator/auth.json", "{}")
    expect(await status({ acceptLogin: true })).toMatchObject({ obstacle: null })
  })
})
