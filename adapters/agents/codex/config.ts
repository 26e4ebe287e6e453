/**
 * Settings for Codex as its `-c key=value` takes them: a dotted path and a value of TOML. They are on a command
 * line, which everybody on the machine can read, so none of them may be a secret.
 */
import { refuse } from "../common/refusal.ts"

/** A value as TOML has it. Numbers are finite, and no text holds a control character. */
export type ConfigValue =
  | string
  | number
  | boolean
  | readonly ConfigValue[]
  | { readonly [key: string]: ConfigValue }

/** By dotted path, e.g. `{ "model_providers.mine.base_url": "http://127.0.0.1:8080/v1" }`. */
export type CodexConfig = Readonly<Record<string, ConfigValue>>

const path = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/
/** What Holdfast says itself, by a flag; `model` too, because a session names it. */
const reserved = new Set(["model", "sandbox_mode", "approval_policy"])
/** Names of settings that hold a credential, rather than the name of a variable that does. */
const secret = /(?:^|[._-])(?:bearer_token|api_key|password|secret|access_token|http_headers)$/i

/** Throws `CONFIG_KEY_INVALID`, `RESERVED_FLAG`, `SECRET_IN_CONFIG` or `ARGUMENT_INVALID`. Checked once, when the adapter is made. */
export function checkConfig(config: CodexConfig): CodexConfig {
  for (const [key, value] of Object.entries(config)) {
    if (!path.test(key))
      throw refuse("CONFIG_KEY_INVALID", "A key of config is a dotted path of letters, digits, _ and -.")
    if (reserved.has(key))
      throw refuse("RESERVED_FLAG", `${key} is set by Holdfast itself; use the option or the session for it.`)
    const names = [key, ...namesIn(value)]
    if (names.some(name => secret.test(name)))
      throw refuse(
        "SECRET_IN_CONFIG",
        `${key} would put a secret on a command line; name a variable with env_key instead.`,
      )
    toml(value)
  }
  return { ...config }
}

/** Each as its own `-c`; the later of two with one key wins, so there is only ever one. */
export function configArguments(...layers: readonly CodexConfig[]): readonly string[] {
  return Object.entries(Object.assign({}, ...layers) as CodexConfig).flatMap(([key, value]) => [
    "-c",
    `${key}=${toml(value)}`,
  ])
}

function toml(value: ConfigValue): string {
  if (typeof value === "string") return quoted(value)
  if (typeof value === "number" && !Number.isFinite(value))
    throw refuse("ARGUMENT_INVALID", "A number in config must be finite.")
  if (typeof value !== "object") return String(value)
  if (isList(value)) return `[${value.map(toml).join(",")}]`
  return `{${Object.entries(value)
    .map(([key, inner]) => `${quoted(key)}=${toml(inner)}`)
    .join(",")}}`
}

const isList = (value: object): value is readonly ConfigValue[] => Array.isArray(value)

/** JSON's strings are TOML's, as long as no control character is in them. */
function quoted(text: string): string {
  if (/\p{Cc}/u.test(text)) throw refuse("ARGUMENT_INVALID", "A text in config holds a control character.")
  return JSON.stringify(text)
}

function namesIn(value: ConfigValue): readonly string[] {
  if (typeof value !== "object") return []
  if (isList(value)) return value.flatMap(namesIn)
  return Object.entries(value).flatMap(([key, inner]) => [key, ...namesIn(inner)])
}
