/**
 * Which installed packages are there on behalf of which dependency: a dependency itself, and what is reached through
 * it and through no other one. What several share belongs to none of them. Pure.
 */

/** As the lock file in `node_modules` tells them, by their paths. */
export type Packages = Readonly<
  Record<string, { readonly version: string; readonly dependencies?: Readonly<Record<string, string>> }>
>

const folder = "node_modules/"

/** Paths of packages, by the dependency of the package at `of`. */
export function ownTrees(packages: Packages, of: string): ReadonlyMap<string, readonly string[]> {
  const direct = new Map(dependenciesOf(packages, of).map(path => [path, reachedFrom(packages, path)]))
  const owners = (path: string) => [...direct].filter(([, reached]) => reached.has(path)).length
  return new Map(
    [...direct].map(([own, reached]) => {
      const alone = [...reached].filter(path => !direct.has(path) && owners(path) === 1)
      return [own.slice(folder.length), [own, ...alone]]
    }),
  )
}

function reachedFrom(packages: Packages, path: string, reached = new Set<string>()): ReadonlySet<string> {
  if (reached.has(path)) return reached
  reached.add(path)
  for (const next of dependenciesOf(packages, path)) reachedFrom(packages, next, reached)
  return reached
}

const dependenciesOf = (packages: Packages, path: string): readonly string[] =>
  Object.keys(packages[path]?.dependencies ?? {}).map(name => found(packages, path, name))

/** Where Node would find it: as near as possible. */
function found(packages: Packages, from: string, name: string): string {
  for (let at = from; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(`/${folder}`)))) {
    const nested = `${at}/${folder}${name}`
    if (Object.hasOwn(packages, nested)) return nested
  }
  const top = `${folder}${name}`
  if (!Object.hasOwn(packages, top)) throw new Error(`${name}, which ${from} needs, is not installed`)
  return top
}
