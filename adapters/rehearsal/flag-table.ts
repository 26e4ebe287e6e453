/**
 * The Cursor CLI's flags and commands as data: how each is written and what it takes. What a value means, and how a
 * command line is read, is not here.
 */

type Takes = "nothing" | "value" | "optional" | "values"
export interface Option {
  readonly names: readonly string[]
  readonly takes: Takes
  readonly placeholder?: string
  /** Its value never reaches the journal. */
  readonly secret?: boolean
}

const value = (placeholder: string, ...names: readonly string[]): Option => ({
  names,
  takes: "value",
  placeholder,
})
const nothing = (...names: readonly string[]): Option => ({ names, takes: "nothing" })

const options = {
  print: nothing("-p", "--print"),
  outputFormat: value("<format>", "--output-format"),
  partial: nothing("--stream-partial-output"),
  force: nothing("-f", "--force", "--yolo"),
  autoReview: nothing("--auto-review"),
  trust: nothing("--trust"),
  approveMcps: nothing("--approve-mcps"),
  sandbox: value("<mode>", "--sandbox"),
  model: value("<model>", "--model"),
  listModels: nothing("--list-models"),
  mode: value("<mode>", "--mode"),
  plan: nothing("--plan"),
  resume: { names: ["--resume"], takes: "optional" },
  continue: nothing("--continue"),
  workspace: value("<path>", "--workspace"),
  addDir: { names: ["--add-dir"], takes: "values", placeholder: "<path>" },
  worktree: { names: ["-w", "--worktree"], takes: "optional" },
  worktreeBase: value("<ref>", "--worktree-base"),
  skipWorktreeSetup: nothing("--skip-worktree-setup"),
  pluginDir: { names: ["--plugin-dir"], takes: "values", placeholder: "<path>" },
  apiKey: { ...value("<key>", "--api-key"), secret: true },
  authToken: { ...value("<token>", "--auth-token"), secret: true },
  header: { names: ["-H", "--header"], takes: "values", placeholder: "<header>", secret: true },
  endpoint: value("<url>", "-e", "--endpoint"),
  agentEndpoint: value("<url>", "--agent-endpoint"),
  insecure: nothing("-k", "--insecure"),
  cloud: nothing("-c", "--cloud"),
  name: value("<name>", "-n", "--name"),
  excludeTools: value("<names>", "--exclude-tools"),
  disableProjectConfigs: nothing("--disable-project-configs"),
  disableAutoUpdate: nothing("--disable-auto-update"),
  newSessionId: value("<uuid>", "--new-session-id"),
  singleTurn: nothing("--single-turn"),
  showThinking: nothing("--show-thinking"),
  minVersion: value("<version>", "--min-version"),
  format: value("<format>", "--format"),
  version: nothing("-v", "--version"),
  help: nothing("-h", "--help"),
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof options

/** A first word that names one of these runs it instead of being a prompt, even after `--`. */
export const commands = [
  "about",
  "create-chat",
  "help",
  "login",
  "logout",
  "ls",
  "mcp",
  "models",
  "resume",
  "status",
  "update",
  "upgrade",
  "whoami",
] as const
export type Command = (typeof commands)[number]

export const optionOf = new Map<string, readonly [OptionName, Option]>(
  Object.entries(options).flatMap(([name, option]) =>
    // The key of a const table is one of its names.
    option.names.map(one => [one, [name as OptionName, option as Option]] as const),
  ),
)
