/** Small files of an agent's configuration: there, or written whole and durably. */
import { open, rename, rm, stat } from "node:fs/promises"

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
