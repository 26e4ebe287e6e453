/**
 * Codex' CLI as an agent of Holdfast: `codex exec --json`, one process per turn. Nothing is looked for or started
 * here. From public documentation and from runs of 0.171.0.
 */
import type { AgentAdapter, Capabilities, Environment } from "../../../effects/agent.ts"
import { checkPassEnvironment, childEnvironment, variable } from "../common/environment.ts"
import type { FailureRule } from "../common/failures/rule.ts"
import { status } from "../common/status.ts"
import { isShim, throughCmd } from "../common/windows.ts"
import { type CodexConfig, checkConfig } from "./config.ts"
import { operatorHome, seedHome } from "./config-folder.ts"
import { conversationPresence } from "./conversations.ts"
import { codexFailures } from "./failures.ts"
import { invocation } from "./invocation.ts"
import { locate } from "./locate.ts"
import { login } from "./login.ts"
import { obstacles } from "./obstacles.ts"
import { codexTranslator } from "./stream/translator.ts"

/** What the commands of the model may touch, by Codex' own names. The last one is no sandbox at all. */
export type Sandbox = "read-only" | "workspace-write" | "danger-full-access"

/** What a host may say about Codex; everything is optional. */
export interface CodexOptions {
  /** A path, or a name to be found on the PATH. Default: `HOLDFAST_CODEX_BIN`, then `codex`. */
  readonly binary?: string
  /** The model of sessions that name none. Default: `auto`, which is what the configuration says, or Codex' own. */
  readonly model?: string
  /** Default: `CODEX_API_KEY`, else `OPENAI_API_KEY`, of the host's environment. Only ever handed to the child's. */
  readonly apiKey?: string
  /** More variables that hold keys, such as the `env_key` of a model provider; one of all of them must be there. */
  readonly keyVariables?: readonly string[]
  /**
   * Go on without a key, with the login that Codex keeps itself. The operator's own `CODEX_HOME` is used then, by
   * all sessions, since a login cannot be copied: it is renewed where it is kept.
   */
  readonly acceptLogin?: boolean
  /** What commands of the model may touch. Default: `workspace-write`, which has no network. */
  readonly sandbox?: Sandbox
  /** Settings by their dotted path, as `codex -c` takes them; they win over the operator's `config.toml` and over ours. */
  readonly config?: CodexConfig
  /** Names of more variables that the agent's environment takes from the host's. */
  readonly passEnvironment?: readonly string[]
  /** Rows that are asked before our own failure table. */
  readonly failures?: readonly FailureRule[]
}

const capabilities: Capabilities = {
  resume: true,
  // Whole messages, as they are finished.
  streaming: false,
  images: false,
  permissionPrompts: false,
  hostTools: false,
  survivesHost: true,
}

const ownKeys = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const

/**
 * Codex' CLI as the agent named `codex`. Throws an `AgentRefusal` for options that cannot work: `NESTING_VARIABLE`,
 * `CONFIG_KEY_INVALID`, `RESERVED_FLAG`, `SECRET_IN_CONFIG`, `ARGUMENT_INVALID`. A missing program or key is told by
 * `locate`, `checkKey` and `status`, not here.
 */
export function codex(options: CodexOptions = {}): AgentAdapter {
  const keyVariables = [...ownKeys, ...(options.keyVariables ?? [])]
  const passEnvironment = checkPassEnvironment(options.passEnvironment ?? [])
  const acceptLogin = options.acceptLogin ?? false
  const settings = {
    sandbox: options.sandbox ?? "workspace-write",
    config: checkConfig(options.config ?? {}),
  }

  const environment = (env: Environment, ownVariables: readonly string[]) =>
    childEnvironment(env, {
      platform: process.platform,
      ownVariables,
      passEnvironment,
      set: {
        NO_COLOR: "1",
        ...(options.apiKey === undefined ? {} : { CODEX_API_KEY: options.apiKey }),
      },
    })
  const full = (env: Environment) => environment(env, [...keyVariables, "OPENAI_BASE_URL"])
  const bare = (env: Environment) =>
    Object.fromEntries(Object.entries(full(env)).filter(([name]) => !keyVariables.includes(name)))
  const hasKey = (env: Environment) => keyVariables.some(name => variable(full(env), name) !== null)
  const checkKey = (env: Environment) => (hasKey(env) || acceptLogin ? null : obstacles.keyMissing)
  const homeOf = (configDir: string, env: Environment) => (acceptLogin ? operatorHome(env) : configDir)
  const search = (env: Environment) =>
    locate(env, {
      binary: options.binary ?? null,
      machine: { platform: process.platform, arch: process.arch },
      childEnvironment: bare(env),
    })

  return {
    name: "codex",
    capabilities,
    defaultModel: options.model ?? "auto",
    translator: codexTranslator([...(options.failures ?? []), ...codexFailures]),
    secretVariables: keyVariables,
    locate: search,
    checkKey,
    childEnvironment: full,
    invocation: (binary, request, env) => {
      const home = homeOf(request.configDir, env)
      const direct = invocation(binary, request, { ...settings, home, keyVariables, isPrivate: !acceptLogin })
      if (process.platform !== "win32" || !isShim(binary)) return direct
      return throughCmd(direct, variable(env, "ComSpec") ?? "C:\\Windows\\System32\\cmd.exe")
    },
    seedConfig: async (configDir, env) => {
      if (!acceptLogin) await seedHome(configDir, env)
    },
    hasConversation: ({ configDir, resume }, env) => conversationPresence(homeOf(configDir, env), resume),
    status: async env =>
      status({
        located: await search(env),
        leadingArgs: [],
        bareEnvironment: { ...bare(env), ...(acceptLogin ? { CODEX_HOME: operatorHome(env) } : {}) },
        keyObstacle: checkKey(env),
        login: acceptLogin && !hasKey(env) ? login : null,
      }),
  }
}
