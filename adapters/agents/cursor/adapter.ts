/**
 * Cursor's CLI as an agent of Holdfast: the parts of this folder behind the port. The rehearsal program speaks the
 * same protocol, so it is this same adapter on another program; what differs is data in `Program`.
 */
import type { AgentAdapter, Capabilities, Environment, Obstacle } from "../../../effects/agent.ts"
import { checkPassEnvironment, childEnvironment, variable } from "../common/environment.ts"
import type { FailureRule } from "../common/failures/rule.ts"
import type { Located } from "../common/locate.ts"
import { status } from "../common/status.ts"
import { isShim, throughCmd } from "../common/windows.ts"
import { checkExtraArgs } from "./arguments.ts"
import { seedConfigFolder } from "./config-folder.ts"
import { conversationPresence } from "./conversations.ts"
import { cursorFailures } from "./failures/table.ts"
import { invocation } from "./invocation.ts"
import { login } from "./login.ts"
import { obstacles } from "./obstacles.ts"
import { cursorTranslator } from "./stream/translator.ts"

/** The program behind the adapter, and what it needs. */
export interface Program {
  readonly name: string
  readonly defaultModel: string
  readonly leadingArgs: readonly string[]
  readonly extraArgs: readonly string[]
  /** Variables of which one must be there; none: no key is needed. */
  readonly keyVariables: readonly string[]
  readonly ownVariables: readonly string[]
  readonly passEnvironment: readonly string[]
  readonly setEnvironment: Environment
  readonly failures: readonly FailureRule[]
  /** A login that the CLI keeps itself is as good as a key. */
  readonly acceptLogin: boolean
  locate(env: Environment, childEnvironment: Readonly<Record<string, string>>): Promise<Located>
}

const capabilities: Capabilities = {
  resume: true,
  streaming: true,
  // Attachments are files that the prompt names; the CLI has no flag for them.
  images: false,
  // Headless, it answers its own questions.
  permissionPrompts: false,
  hostTools: true,
  survivesHost: true,
}

export function adapter(program: Program): AgentAdapter {
  const line = { leadingArgs: program.leadingArgs, extraArgs: checkExtraArgs(program.extraArgs) }
  const passEnvironment = checkPassEnvironment(program.passEnvironment)

  const environment = (env: Environment, ownVariables: readonly string[], set: Environment) =>
    childEnvironment(env, { platform: process.platform, ownVariables, passEnvironment, set })
  const full = (env: Environment) => environment(env, program.ownVariables, program.setEnvironment)
  const bare = (env: Environment) => {
    const isKey = (name: string) => program.keyVariables.includes(name)
    const withoutKeys = Object.entries(full(env)).filter(([name]) => !isKey(name))
    return Object.fromEntries(withoutKeys)
  }
  const hasKey = (env: Environment) => {
    const child = full(env)
    return (
      program.keyVariables.length === 0 || program.keyVariables.some(name => variable(child, name) !== null)
    )
  }
  const checkKey = (env: Environment): Obstacle | null =>
    hasKey(env) || program.acceptLogin ? null : obstacles.keyMissing

  return {
    name: program.name,
    capabilities,
    defaultModel: program.defaultModel,
    translator: cursorTranslator([...program.failures, ...cursorFailures]),
    secretVariables: program.keyVariables,
    locate: env => program.locate(env, bare(env)),
    checkKey,
    childEnvironment: full,
    invocation: (binary, request, env) => {
      const direct = invocation(binary, request, line)
      if (process.platform !== "win32" || !isShim(binary)) return direct
      return throughCmd(direct, variable(env, "ComSpec") ?? "C:\\Windows\\System32\\cmd.exe")
    },
    seedConfig: seedConfigFolder,
    hasConversation: ({ configDir, cwd, resume }) => conversationPresence(configDir, cwd, resume),
    // One per workspace, reused by later turns; it ends by itself after idle minutes.
    isSharedDaemon: commandLine => commandLine.split("\0").includes("worker-server"),
    status: async env =>
      status({
        located: await program.locate(env, bare(env)),
        leadingArgs: program.leadingArgs,
        bareEnvironment: bare(env),
        keyObstacle: checkKey(env),
        login: program.acceptLogin && !hasKey(env) ? login : null,
      }),
  }
}
