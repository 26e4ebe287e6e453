/** Whether the state folder can be used, or could be made. It only looks: a folder that is not there stays so. */
import { accessSync, constants, existsSync, statfsSync } from "node:fs"
import { dirname } from "node:path"
import { StateFolderRefused } from "../../../store/errors.ts"
import { networkFileSystemOf } from "../../../store/file-system.ts"
import { broken, type Finding, fine, warning } from "./finding.ts"

const lowBytes = 1024 ** 3
const fullBytes = 64 * 1024 ** 2

/** `refusal`: what opening the log said; null when it opened. */
export function folderFindings(folder: string, refusal: StateFolderRefused | null): readonly Finding[] {
  const isThere = existsSync(folder)
  const place = nearest(folder)
  const refused = (code: ConstructorParameters<typeof StateFolderRefused>[0]) =>
    broken(code, new StateFolderRefused(code, folder).message)
  if (refusal?.code === "FOLDER_OLDER") return [warning(refusal.code, refusal.message)]
  if (refusal !== null && refusal.code !== "FOLDER_MISSING") return [broken(refusal.code, refusal.message)]
  if (networkFileSystemOf(place) !== null) return [refused("FOLDER_NETWORK")]
  if (!isWritable(place)) return [refused("FOLDER_READ_ONLY")]
  const found =
    refusal === null
      ? fine("FOLDER", `${folder} is ours alone (0700), on a local file system.`)
      : fine("FOLDER", `${folder} ${isThere ? "is empty" : "is not there yet"}; the first host fills it.`)
  const { bavail, bsize } = statfsSync(place)
  return [found, space(bavail * bsize)]
}

export function space(freeBytes: number): Finding {
  const free = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB are free for the state folder`
  if (freeBytes < fullBytes) return broken("SPACE", `${free}: make room, or nothing can be recorded.`)
  return freeBytes < lowBytes
    ? warning("SPACE", `${free}; agents may print a lot, so make room.`)
    : fine("SPACE", `${free}.`)
}

/** The folder, or what it would be made in. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder))
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
