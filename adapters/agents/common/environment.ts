/**
 * The environment a run gets, built clean from the host's: an allow-list, plus the agent's own variables. What
 * says "you run inside another agent", and other agents' keys, stay out because nothing lets them in. Values are
 * never looked at, apart from trimming those that are exported under the agent's own names.
 */
import type { Environment } from "../../../effects/agent.ts"
import { refuse } from "./refusal.ts"

export interface EnvironmentOptions {
  readonly platform: NodeJS.Platform
  /** The agent's own variables, taken from the host's environment when they are there and not empty. */
  readonly ownVariables: readonly string[]
  /** More names that the operator lets through, exactly. */
  readonly passEnvironment: readonly string[]
  /** Set whatever the host's environment says; an empty value unsets. */
  readonly set: Environment
}

/** What programs need to find themselves, the person's settings, the network and git. */
const common: readonly string[] = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "LANG", "LANGUAGE"],
  ...["TMPDIR", "TMP", "TEMP", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "NODE_USE_ENV_PROXY"],
  ...["http_proxy", "https_proxy", "no_proxy", "all_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["GIT_CONFIG_GLOBAL", "GIT_SSH_COMMAND", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"],
  ...["GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"],
]
const commonPrefixes: readonly string[] = ["LC_", "XDG_"]

const windows: readonly string[] = [
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "OS"],
  ...["USERPROFILE", "HOMEDRIVE", "HOMEPATH", "USERNAME", "USERDOMAIN", "COMPUTERNAME", "PUBLIC"],
  ...["APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432"],
  ...["COMMONPROGRAMFILES", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"],
]

/** Tells a program that it runs inside an agent; not even the operator may pass these on. */
const nesting =
  /^(?:CURSOR_(?:AGENT|INVOKED_AS|PROJECT_DIR|VERSION|USER_EMAIL|TRANSCRIPT_PATH|CONFIG_DIR)|CLAUDECODE|CLAUDE_CODE_.*|CLAUDE_PROJECT_DIR|CODEX_(?:SANDBOX.*|THREAD_ID|SESSION_ID|TOOL_CALL_ID|CI|HOME)|GEMINI_CLI|OPENCODE|AI_AGENT)$/i

export function childEnvironment(env: Environment, options: EnvironmentOptions): Record<string, string> {
  const isWindows = options.platform === "win32"
  // Windows does not tell upper from lower case in names.
  const key = (name: string) => (isWindows ? name.toUpperCase() : name)
  const passed = new Set([...common, ...(isWindows ? windows : []), ...options.passEnvironment].map(key))
  const own = new Set(options.ownVariables.map(key))
  const child: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue
    if (own.has(key(name))) setTrimmed(child, name, value)
    else if (passed.has(key(name)) || commonPrefixes.some(prefix => key(name).startsWith(prefix))) {
      child[name] = value
    }
  }
  for (const [name, value] of Object.entries(options.set)) {
    for (const present of Object.keys(child)) if (key(present) === key(name)) delete child[present]
    setTrimmed(child, name, value ?? "")
  }
  return child
}

/** An empty key is refused by the CLI as an invalid one, so it is not exported at all. */
function setTrimmed(child: Record<string, string>, name: string, value: string): void {
  const trimmed = value.trim()
  if (trimmed !== "") child[name] = trimmed
}

/** Throws `NESTING_VARIABLE`. Checked once, when the adapter is made. */
export function checkPassEnvironment(names: readonly string[]): readonly string[] {
  const wrong = names.find(name => nesting.test(name))
  if (wrong === undefined) return [...names]
  throw refuse("NESTING_VARIABLE", `${wrong} would tell the agent that it runs inside another; leave it out.`)
}

/** The value under a name, trimmed; null when it is missing or empty. */
export function variable(env: Environment, name: string): string | null {
  const value = env[name]?.trim() ?? ""
  return value === "" ? null : value
}
