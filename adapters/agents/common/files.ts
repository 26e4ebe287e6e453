/** Small files of an agent's configuration: read if they are that, written whole and durably. */
import { open, readFile, rename, rm, stat } from "node:fs/promises"
import { isRecord } from "./stream/json.ts"

const maxSeedBytes = 1024 * 1024

/** Null for what is missing, unreadable or larger than settings are. */
export async function smallText(path: string): Promise<string | null> {
  try {
    return (await stat(path)).size > maxSeedBytes ? null : await readFile(path, "utf8")
  } catch {
    return null
  }
}

/** The same value without the fields of these names, at any depth. */
export function withoutKeys(value: unknown, isDropped: (key: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map(inner => withoutKeys(inner, isDropped))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isDropped(key))
      .map(([key, inner]) => [key, withoutKeys(inner, isDropped)]),
  )
}

export async function publish(path: string, text: string): Promise<void> {
  const temporary = `${path}.holdfast`
  await rm(temporary, { force: true })
  const file = await open(temporary, "wx", 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
