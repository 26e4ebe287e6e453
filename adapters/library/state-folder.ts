/** Where everything of Holdfast is kept. It only names the folder; the store makes it or refuses it. */
import { userInfo } from "node:os"
import { isAbsolute, join, resolve } from "node:path"
import type { Environment } from "../../effects/agent.ts"

/**
 * The absolute path of the state folder: `home`, else `$HOLDFAST_HOME`, else `$XDG_STATE_HOME/holdfast`, else
 * `~/.local/state/holdfast`. An empty
 * variable counts as none, and so does a relative one of the last two.
 */
export function stateFolder(env: Environment, home?: string): string {
  const given = nonEmpty(home) ?? nonEmpty(env.HOLDFAST_HOME)
  if (given !== undefined) return resolve(given)
  const state =
    absolute(env.XDG_STATE_HOME) ?? join(absolute(env.HOME) ?? userInfo().homedir, ".local", "state")
  return join(state, "holdfast")
}

const nonEmpty = (text: string | undefined) => (text === "" ? undefined : text)
/** A relative one would be another folder, in a worktree perhaps, for every folder that a program is started in. */
const absolute = (path: string | undefined) => (path !== undefined && isAbsolute(path) ? path : undefined)
