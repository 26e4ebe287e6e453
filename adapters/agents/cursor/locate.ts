/**
 * Finds Cursor's CLI: the host's choice, then HOLDFAST_CURSOR_BIN, then `cursor-agent` and `agent` on the PATH
 * the child will have. Asked before every run and cached nowhere, because the CLI updates itself between runs.
 */
import { isAbsolute, resolve } from "node:path"
import which from "which"
import type { Environment, Obstacle } from "../../../effects/agent.ts"
import { variable } from "./environment.ts"
import { executableObstacle, type Machine } from "./executable.ts"
import { obstacles } from "./obstacles.ts"
import { readVersion } from "./version.ts"

export type Located = { readonly binary: string } | Obstacle

export interface Search {
  /** The host's choice: a path, or a name to be looked up. */
  readonly binary: string | null
  readonly machine: Machine
  readonly childEnvironment: Readonly<Record<string, string>>
}

const ownName = "cursor-agent"
/** Cursor's newer name, which other tools have too: one found under it has to say who it is. */
const genericName = "agent"

export async function locate(env: Environment, search: Search): Promise<Located> {
  const chosen = search.binary?.trim() || variable(env, "HOLDFAST_CURSOR_BIN")
  if (chosen !== null) return judged(await pathOf(chosen, search), chosen, search)
  const own = await onPath(ownName, search)
  if (own !== null) return judged(own, ownName, search)
  const generic = await onPath(genericName, search)
  if (generic === null) return obstacles.notFound(`${ownName} or ${genericName}`)
  const located = await judged(generic, genericName, search)
  if (!("binary" in located)) return located
  const version = await readVersion(located.binary, [], search.childEnvironment)
  return version.kind === "version" && version.isCursor ? located : obstacles.notCursor(generic)
}

async function judged(path: string | null, name: string, search: Search): Promise<Located> {
  if (path === null) return obstacles.notFound(name)
  return (await executableObstacle(path, search.machine)) ?? { binary: path }
}

/** A path is meant as it is said; only a bare name is looked up. */
async function pathOf(chosen: string, search: Search): Promise<string | null> {
  return /[\\/]/.test(chosen) ? resolve(chosen) : onPath(chosen, search)
}

async function onPath(name: string, search: Search): Promise<string | null> {
  const { PATH, Path, PATHEXT } = search.childEnvironment
  const found = await which(name, {
    nothrow: true,
    all: true,
    path: PATH ?? Path ?? "",
    ...(PATHEXT === undefined ? {} : { pathExt: PATHEXT }),
  })
  // A relative entry would mean another program in every folder; and the launcher needs an absolute path.
  return found?.find(isAbsolute) ?? null
}
