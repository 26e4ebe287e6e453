/**
 * One SQLite connection with the settings that the guarantees rest on, and the translation of SQLite's errors
 * into ours. No statement about our tables belongs here.
 */
import Database from "better-sqlite3"
import { StoreUnavailable, type UnavailableCode } from "./errors.ts"

export type Db = Database.Database

/** How long a commit may wait for another process's commit, in milliseconds. */
const busyTimeoutMs = 5_000

export function connect(path: string, readonly: boolean): Db {
  const db = new Database(path, { readonly, fileMustExist: true, timeout: busyTimeoutMs })
  db.pragma("trusted_schema = OFF")
  db.pragma("cell_size_check = ON")
  db.pragma("temp_store = MEMORY") // a sort must not leave texts in a temporary file
  return db
}

/** Only for a writer, and only after the file was found to be ours or empty. */
export function makeDurable(db: Db): void {
  db.pragma("journal_mode = WAL")
  db.pragma("synchronous = FULL") // the only level in WAL that syncs before a commit returns
  db.pragma("secure_delete = ON")
  db.pragma("journal_size_limit = 67108864")
}

export function isSqliteError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError
}

const codes = [
  ["SQLITE_FULL", "STORE_FULL"],
  ["SQLITE_BUSY", "STORE_LOCKED"],
  ["SQLITE_LOCKED", "STORE_LOCKED"],
  ["SQLITE_PROTOCOL", "STORE_LOCKED"],
  ["SQLITE_READONLY", "STORE_READ_ONLY"],
  ["SQLITE_PERM", "STORE_READ_ONLY"],
  ["SQLITE_IOERR", "STORE_IO"],
  ["SQLITE_CANTOPEN", "STORE_IO"],
  ["SQLITE_CORRUPT", "STORE_CORRUPT"],
  ["SQLITE_NOTADB", "STORE_CORRUPT"],
] as const satisfies readonly (readonly [string, UnavailableCode])[]

/** SQLite's error as ours; anything else stays what it is. */
export function translate(error: unknown): unknown {
  if (!isSqliteError(error)) return error
  const known = codes.find(([prefix]) => error.code.startsWith(prefix))
  return new StoreUnavailable(known?.[1] ?? "STORE_DEFECT", error)
}

/** Run a synchronous piece of work, with SQLite's errors translated. */
export function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translate(error)
  }
}
