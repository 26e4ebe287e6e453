/**
 * The command line of the Cursor CLI, as a table: names, what they take, and the parser's own complaints. It
 * decides nothing about the values: whether a model or a chat id is any good is asked later, in the CLI's order.
 */

export type OutputFormat = "text" | "json" | "stream-json"

type Takes = "nothing" | "value" | "optional" | "values"
interface Option {
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

type OptionName = keyof typeof options

/** A first word that names one of these runs it instead of being a prompt, even after `--`. */
const commands = [
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

export interface Flags {
  readonly command: Command | null
  /** The words that are no flags, without the command. */
  readonly words: readonly string[]
  has(name: OptionName): boolean
  /** The last value given; `true` for an optional one given bare. */
  get(name: OptionName): string | true | null
  text(name: OptionName): string | null
}

/** `error` is the line that the parser prints before it exits with 1. */
export type Parsed = { readonly flags: Flags } | { readonly error: string }

const optionOf = new Map<string, readonly [OptionName, Option]>(
  Object.entries(options).flatMap(([name, option]) =>
    // The key of a const table is one of its names.
    option.names.map(one => [one, [name as OptionName, option as Option]] as const),
  ),
)

export const parseFlags = (argv: readonly string[]): Parsed => {
  const given = new Map<OptionName, string | true>()
  const words: string[] = []
  const queue = [...argv]
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === "--") {
      words.push(...queue)
      break
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word)
      continue
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1
    const written = equals < 0 ? word : word.slice(0, equals)
    const found = optionOf.get(written)
    if (found === undefined) {
      // `-pf` is `-p -f`.
      const cluster = /^-[a-zA-Z]{2,}$/.test(word) ? Array.from(word.slice(1), letter => `-${letter}`) : []
      if (cluster.length === 0 || !cluster.every(one => optionOf.has(one)))
        return { error: `error: unknown option '${written}'` }
      queue.unshift(...cluster)
      continue
    }
    const [name, option] = found
    const inline = equals < 0 ? undefined : word.slice(equals + 1)
    if (option.takes === "nothing") given.set(name, true)
    else if (inline !== undefined) given.set(name, inline)
    else if (option.takes === "optional") {
      // The trap of a bare `--resume`: it swallows the next word.
      const next = queue[0]
      given.set(name, next !== undefined && !next.startsWith("-") ? (queue.shift() ?? true) : true)
    } else {
      const next = queue.shift()
      if (next === undefined)
        return { error: `error: option '${option.names.join(", ")} ${option.placeholder}' argument missing` }
      given.set(name, next)
    }
  }
  const command = commands.find(one => one === words[0]) ?? null
  const get = (name: OptionName): string | true | null => given.get(name) ?? null
  return {
    flags: {
      command,
      words: command === null ? words : words.slice(1),
      has: name => given.has(name),
      get,
      text: name => {
        const one = get(name)
        return typeof one === "string" ? one : null
      },
    },
  }
}

/** The arguments as the journal may know them. */
export const withoutSecrets = (argv: readonly string[]): readonly string[] =>
  argv.map((word, index) => {
    const [written = "", ...rest] = word.split("=")
    if (rest.length > 0 && optionOf.get(written)?.[1].secret === true) return `${written}=***`
    return optionOf.get(argv[index - 1] ?? "")?.[1].secret === true ? "***" : word
  })
