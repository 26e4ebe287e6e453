/** The Cursor agent as a host asks for it: its options, and what they become. Nothing is looked for or started here. */
import type { AgentAdapter } from "../../../effects/agent.ts"
import type { FailureRule } from "../common/failures/rule.ts"
import { adapter } from "./adapter.ts"
import { locate } from "./locate.ts"

/** What a host may say about Cursor; everything is optional. */
export interface CursorOptions {
  /** A path, or a name to be found on the PATH. Default: `HOLDFAST_CURSOR_BIN`, then `cursor-agent`, then `agent`. */
  readonly binary?: string
  /** The model of sessions that name none. Default: `auto`. */
  readonly model?: string
  /** Default: `CURSOR_API_KEY` of the host's environment. Only ever handed to the child's environment. */
  readonly apiKey?: string
  /** Go on without a key, with the login the CLI keeps itself (not every store of it survives a private folder). */
  readonly acceptLogin?: boolean
  /** More flags for every turn. Those that Holdfast sets are refused (`RESERVED_FLAG`). */
  readonly extraArgs?: readonly string[]
  /** Names of more variables that the agent's environment takes from the host's. */
  readonly passEnvironment?: readonly string[]
  /** Rows that are asked before our own failure table. */
  readonly failures?: readonly FailureRule[]
}

const keyVariables = ["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN"] as const

/**
 * Cursor's CLI as the agent named `cursor`. Throws an `AgentRefusal` for options that cannot work: `RESERVED_FLAG`,
 * `ARGUMENT_INVALID`, `NESTING_VARIABLE`. A missing program or key is told by `locate`, `checkKey` and `status`, not
 * here.
 */
export function cursor(options: CursorOptions = {}): AgentAdapter {
  return adapter({
    name: "cursor",
    defaultModel: options.model ?? "auto",
    leadingArgs: [],
    extraArgs: options.extraArgs ?? [],
    keyVariables,
    ownVariables: [...keyVariables, "CURSOR_API_ENDPOINT", "CURSOR_DATA_DIR", "AGENT_CLI_CREDENTIAL_STORE"],
    passEnvironment: options.passEnvironment ?? [],
    setEnvironment: {
      ...(options.apiKey === undefined ? {} : { CURSOR_API_KEY: options.apiKey }),
      // Nobody is there to look at a browser, and colours would only be taken out again.
      NO_OPEN_BROWSER: "1",
      NO_COLOR: "1",
    },
    failures: options.failures ?? [],
    acceptLogin: options.acceptLogin ?? false,
    locate: (env, child) =>
      locate(env, {
        binary: options.binary ?? null,
        machine: { platform: process.platform, arch: process.arch },
        childEnvironment: child,
      }),
  })
}
