/**
 * The state folder: made 0700 with a 0600 log in it, or refused with the reason. It looks before it touches, and
 * a reader's look creates nothing. No file here is opened by anything but SQLite once SQLite has it open:
 * closing a second descriptor would drop the process's locks.
 */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
} from "node:fs"
import { join, resolve } from "node:path"
import { connect, type Db, guarded, isSqliteError, makeDurable } from "./database.ts"
import { StateFolderRefused } from "./errors.ts"
import { networkFileSystemOf } from "./file-system.ts"
import { applicationId, migrate, schemaVersion } from "./schema.ts"

export const logFile = (folder: string): string => join(folder, "log.sqlite")

export function openFolder(folder: string, mode: "write" | "read"): Db {
  if (mode === "write") prepare(folder)
  const stats = statOf(folder)
  if (stats === null) throw new StateFolderRefused("FOLDER_MISSING", folder)
  checkFolder(folder, stats, mode)
  if (mode === "write") createFile(folder)
  else if (statOf(logFile(folder)) === null)
    throw new StateFolderRefused(hasRuns(folder) ? "FOLDER_LOG_GONE" : "FOLDER_MISSING", folder)
  return guarded(() => openLog(folder, mode))
}

function prepare(folder: string): void {
  if (statOf(folder) !== null) return
  // There, nothing can be made, and trying never ends.
  if (/^\/(?:proc|sys)(?:\/|$)/.test(resolve(folder)))
    throw new StateFolderRefused("FOLDER_READ_ONLY", folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700) // whatever the umask took away
  } catch (error) {
    throw new StateFolderRefused("FOLDER_READ_ONLY", folder, error)
  }
}

function checkFolder(folder: string, stats: Stats, mode: "write" | "read"): void {
  const refuse = (code: ConstructorParameters<typeof StateFolderRefused>[0], cause?: unknown) =>
    new StateFolderRefused(code, folder, cause)
  if (!stats.isDirectory()) throw refuse("FOLDER_NOT_OURS")
  const uid = process.getuid?.() // undefined on Windows, where modes say nothing either
  if (uid !== undefined && stats.uid !== uid) throw refuse("FOLDER_OWNER")
  if (uid !== undefined && (stats.mode & 0o077) !== 0) throw refuse("FOLDER_MODE")
  if (networkFileSystemOf(folder) !== null) throw refuse("FOLDER_NETWORK")
  if (mode === "read") return
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw refuse("FOLDER_READ_ONLY", error)
  }
}

/** SQLite gives the files beside the log the log's own mode, so that one has to be right from the start. */
function createFile(folder: string): void {
  const path = logFile(folder)
  const stats = statOf(path)
  if (stats !== null && (stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
  if (stats !== null) return
  try {
    closeSync(openSync(path, "wx", 0o600))
    chmodSync(path, 0o600)
  } catch (error) {
    if (statOf(path) === null) throw new StateFolderRefused("FOLDER_READ_ONLY", folder, error)
    // Another process made it first: then it is SQLite's, and not to be opened again here.
  }
}

function openLog(folder: string, mode: "write" | "read"): Db {
  const db = connect(logFile(folder), mode === "read")
  try {
    checkContent(db, folder, mode)
    if (mode === "write") {
      makeDurable(db)
      migrate(db)
    }
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function checkContent(db: Db, folder: string, mode: "write" | "read"): void {
  const number = (pragma: string) => Number(db.pragma(pragma, { simple: true }))
  try {
    const tables = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM sqlite_master").get()?.n ?? 0
    const application = number("application_id")
    const version = number("user_version")
    const fresh = application === 0 && version === 0 && tables === 0
    if (application !== applicationId && !fresh) throw new StateFolderRefused("FOLDER_NOT_OURS", folder)
    if (fresh && hasRuns(folder)) throw new StateFolderRefused("FOLDER_LOG_GONE", folder)
    if (version > schemaVersion) throw new StateFolderRefused("FOLDER_NEWER", folder)
    if (mode === "read" && fresh) throw new StateFolderRefused("FOLDER_MISSING", folder)
    if (mode === "read" && version < schemaVersion) throw new StateFolderRefused("FOLDER_OLDER", folder)
  } catch (error) {
    if (isSqliteError(error) && error.code === "SQLITE_NOTADB")
      throw new StateFolderRefused("FOLDER_NOT_OURS", folder, error)
    throw error
  }
}

/** No run has a folder before the log knows of it. */
function hasRuns(folder: string): boolean {
  try {
    return readdirSync(join(folder, "runs")).length > 0
  } catch {
    return false
  }
}

function statOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null
}
