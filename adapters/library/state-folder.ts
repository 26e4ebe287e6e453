/** Where everything of Holdfast is kept. It only names the folder; the store makes it or refuses it. */
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import type { Environment } from "../../effects/agent.ts"

export function stateFolder(env: Environment, home?: string): string {
  const given = home ?? nonEmpty(env.HOLDFAST_HOME)
  if (given !== undefined) return resolve(given)
  return join(nonEmpty(env.XDG_STATE_HOME) ?? join(homedir(), ".local", "state"), "holdfast")
}

const nonEmpty = (text: string | undefined) => (text === "" ? undefined : text)
