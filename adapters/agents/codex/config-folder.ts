/**
 * A session's private CODEX_HOME. It starts with the operator's settings and instructions, without anything that is
 * an account's: a login stays where it is renewed, and a key comes by environment. Conversations, MCP servers (whose
 * `env` holds secrets), programs to call and trusted folders are never copied.
 */
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { parse, stringify } from "smol-toml"
import type { Environment } from "../../../effects/agent.ts"
import { variable } from "../common/environment.ts"
import { exists, publish, smallText, withoutKeys } from "../common/files.ts"

/** Where the operator's CLI keeps its configuration. */
export function operatorHome(env: Environment): string {
  return (
    variable(env, "CODEX_HOME") ??
    join(variable(env, "HOME") ?? variable(env, "USERPROFILE") ?? homedir(), ".codex")
  )
}

/** Repeatable: a file that is there is the session's own. */
export async function seedHome(configDir: string, env: Environment): Promise<void> {
  const operator = operatorHome(env)
  if (resolve(operator) === resolve(configDir)) return
  await seed(join(operator, "config.toml"), join(configDir, "config.toml"), settingsOnly)
  await seed(join(operator, "AGENTS.md"), join(configDir, "AGENTS.md"), text => text)
}

async function seed(from: string, to: string, kept: (text: string) => string | null): Promise<void> {
  if (await exists(to)) return
  const text = await smallText(from)
  const seeded = text === null ? null : kept(text)
  if (seeded !== null) await publish(to, seeded)
}

/** Tables that are other programs, other folders or other people. */
const dropped = new Set(["mcp_servers", "notify", "hooks", "projects", "plugins", "marketplaces", "apps"])
/** A setting whose value is, or may hold, a credential. */
const credential = /token|secret|passw|credential|cookie|api[-_]?key|headers$/i
/** These only sound like one. */
const harmless = /^(?:env_key|env_key_instructions|env_http_headers)$|token_limit$|_tokens$/i

const isCredential = (key: string) => credential.test(key) && !harmless.test(key)

/** Null for what is not the TOML that the CLI would read: it says so itself, in its own words, without it. */
export function settingsOnly(text: string): string | null {
  try {
    const settings = parse(text)
    const kept = Object.fromEntries(Object.entries(settings).filter(([key]) => !dropped.has(key)))
    return `${stringify(withoutKeys(kept, isCredential))}\n`
  } catch {
    return null
  }
}
