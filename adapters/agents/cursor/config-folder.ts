/**
 * A session's private CURSOR_CONFIG_DIR. It starts with the operator's settings, so that what they forbade stays
 * forbidden, and without anything that is an account's: the CLI keeps a login in the keychain or in `auth.json`,
 * and a key comes by environment. Chats, MCP servers (whose `env` holds secrets) and hooks are never copied.
 */
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import type { Environment } from "../../../effects/agent.ts"
import { variable } from "../common/environment.ts"
import { exists, publish, smallText, withoutKeys } from "../common/files.ts"
import { isRecord } from "../common/stream/json.ts"

/** Settings, permissions and sandbox rules; each is small JSON. */
const seeded = ["cli-config.json", "permissions.json", "sandbox.json"] as const

/** Where the operator's CLI keeps its configuration. */
export function operatorConfigFolder(env: Environment): string {
  const own = variable(env, "CURSOR_CONFIG_DIR")
  if (own !== null) return own
  const xdg = variable(env, "XDG_CONFIG_HOME")
  if (xdg !== null && process.platform !== "darwin" && process.platform !== "win32")
    return join(xdg, "cursor")
  return join(variable(env, "HOME") ?? variable(env, "USERPROFILE") ?? homedir(), ".cursor")
}

/** Repeatable: a file that is there is the session's own, and stays as the CLI has rewritten it since. */
export async function seedConfigFolder(configDir: string, env: Environment): Promise<void> {
  const operator = operatorConfigFolder(env)
  if (resolve(operator) === resolve(configDir)) return
  for (const name of seeded) {
    const target = join(configDir, name)
    if (await exists(target)) continue
    const settings = await readSettings(join(operator, name))
    if (settings !== null) await publish(target, `${JSON.stringify(withoutAccount(settings), null, 2)}\n`)
  }
}

/** Null for what is missing or is not the JSON the CLI would read: it makes itself a fresh file. */
async function readSettings(path: string): Promise<Readonly<Record<string, unknown>> | null> {
  const text = await smallText(path)
  try {
    const value: unknown = JSON.parse((text ?? "").replace(/^\uFEFF/, ""))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Names of settings that hold an account or a credential, at any depth. */
const accountKey =
  /auth|token|secret|passw|credential|cookie|api[-_]?key|private[-_]?key|e-?mail|user[-_]?(?:id|info|name)|account/i
/** These only sound like one: they say what the agent may do. */
const harmlessKey = /^attribut|^author/i

export function withoutAccount(value: unknown): unknown {
  return withoutKeys(value, key => accountKey.test(key) && !harmlessKey.test(key))
}
