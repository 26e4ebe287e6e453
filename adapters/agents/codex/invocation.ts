/**
 * One turn's command line. The order is fixed so that records of runs compare; the prompt is not here but on stdin,
 * and nothing below is a secret: it may be written to a run's `spec`.
 */
import type { Invocation, RunRequest } from "../../../effects/agent.ts"
import { checkConversation, checkModel } from "../common/arguments.ts"
import { type CodexConfig, configArguments } from "./config.ts"

export interface Settings {
  readonly sandbox: string
  readonly config: CodexConfig
  /** The `CODEX_HOME` of the run. */
  readonly home: string
  /** The home is the session's own, so nobody's plugins are in it. */
  readonly isPrivate: boolean
  readonly keyVariables: readonly string[]
}

/** The model that is left to the configuration. */
const unnamed = "auto"

export function invocation(binary: string, request: RunRequest, settings: Settings): Invocation {
  const { model, resume } = request
  return {
    binary,
    args: [
      "exec",
      "--json",
      ...["--sandbox", settings.sandbox],
      // A folder need not be a repository; the session's own choice of it is the trust.
      "--skip-git-repo-check",
      ...(checkModel(model) === unnamed ? [] : ["--model", model]),
      ...configArguments(defaults(settings), settings.config),
      ...(resume === null ? [] : ["resume", checkConversation(resume)]),
      // The prompt is stdin, to its end.
      "-",
    ],
    env: { CODEX_HOME: settings.home },
  }
}

function defaults({ isPrivate, keyVariables }: Settings): CodexConfig {
  return {
    // Nobody is there to answer.
    approval_policy: "never",
    check_for_update_on_startup: false,
    // The commands of the model do not need the key that the model itself is paid with.
    "shell_environment_policy.exclude": [...keyVariables],
    ...(isPrivate ? withoutPlugins : {}),
  }
}

/** Looking for plugins is a call of git over the network at every start, and five seconds at the end without one. */
const withoutPlugins: CodexConfig = {
  "features.plugins": false,
  "features.remote_plugin": false,
  "features.apps": false,
}
