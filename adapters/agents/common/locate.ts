/**
 * Finds an agent's program: a path as it is said, a bare name on the PATH the child will have. Asked before every
 * run and cached nowhere, because programs update themselves between runs.
 */
import { isAbsolute, resolve } from "node:path"
import which from "which"
import type { Obstacle } from "../../../effects/agent.ts"
import { executableObstacle, type Machine } from "./executable.ts"
import { obstacles } from "./obstacles.ts"

export type Located = { readonly binary: string } | Obstacle

export interface Search {
  /** The host's choice: a path, or a name to be looked up. */
  readonly binary: string | null
  readonly machine: Machine
  readonly childEnvironment: Readonly<Record<string, string>>
}

/** Looked up, and judged by its mode and first bytes. */
export async function locateChosen(chosen: string, search: Search, install: string): Promise<Located> {
  // A path is meant as it is said; only a bare name is looked up.
  const path = /[\\/]/.test(chosen) ? resolve(chosen) : await onPath(chosen, search)
  return path === null ? obstacles.notFound(chosen, install) : judged(path, search, install)
}

export async function judged(path: string, { machine }: Search, install: string): Promise<Located> {
  return (await executableObstacle(path, machine, install)) ?? { binary: path }
}

export async function onPath(name: string, search: Search): Promise<string | null> {
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
