/** How much room installed folders take on a disk with blocks of 4 KiB, which does not depend on where they are. */
import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"

const blockBytes = 4096
const blocks = (path: string) => Math.max(1, Math.ceil(lstatSync(path).size / blockBytes))

/** Kibibytes of a package, without the packages nested in it. */
export function packageKB(folder: string): number {
  const below = readdirSync(folder, { withFileTypes: true })
    .filter(entry => !(entry.isDirectory() && entry.name === "node_modules"))
    .map(entry => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? packageKB(path) : (blocks(path) * blockBytes) / 1024
    })
  return below.reduce((sum, one) => sum + one, blockBytes / 1024)
}

/** Paths of all files below a folder, sorted. */
export const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()

/** Kibibytes of the files' own bytes. */
export const bytesKB = (folder: string): number =>
  filesBelow(folder).reduce((sum, file) => sum + lstatSync(join(folder, file)).size, 0) / 1024
