/**
 * Who lives: each host holds an exclusive transaction on its own small SQLite file, which the kernel ends with
 * the process, however it dies. Nothing else may ever open the file of a host of this process: closing a second
 * descriptor would release the lock. It is liveness only; what fences writes is the epoch in `owners.ts`.
 */

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, realpathSync, rmSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { z } from "zod"
import { isSqliteError } from "./database.ts"
import { HostTaken } from "./errors.ts"

/** A live host. As long as it is held, `isHostDead` says no. */
export interface HostLock {
  /** Id of the host that lives. */
  readonly host: string
  /** Give it up and remove its file. The sessions should have been released before. */
  readonly release: () => void
}

const hostId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
const registryKey = Symbol.for("holdfast.hosts")

/** Paths of the locks that this process holds, shared by every copy of the library in it. */
function registry(): Set<string> {
  const shared = globalThis as typeof globalThis & { [registryKey]?: Set<string> } // ours alone, by its symbol
  const existing = shared[registryKey]
  if (existing !== undefined) return existing
  const created = new Set<string>()
  shared[registryKey] = created
  return created
}

function lockPath(folder: string, host: string): string {
  const hosts = join(realpathSync(folder), "hosts")
  return join(hosts, `${hostId.parse(host)}.lock`)
}

/** Throws `HostTaken` when the id is in use, in this process or another. */
export function lockHost(folder: string, host: string): HostLock {
  const path = lockPath(folder, host)
  if (registry().has(path)) throw new HostTaken(host)
  const hosts = join(realpathSync(folder), "hosts")
  if (!existsSync(hosts)) {
    mkdirSync(hosts, { recursive: true, mode: 0o700 })
    chmodSync(hosts, 0o700)
  }
  if (!existsSync(path)) {
    closeSync(openSync(path, "a", 0o600))
    chmodSync(path, 0o600)
  }
  const db = new Database(path, { timeout: 0 })
  try {
    db.pragma("locking_mode = NORMAL")
    db.exec("BEGIN EXCLUSIVE")
  } catch (error) {
    db.close()
    throw new HostTaken(host, error)
  }
  registry().add(path)
  return {
    host,
    release() {
      if (!registry().delete(path)) return
      // Removed while still held: whoever looks sees a live host or no file, never a file that is free.
      rmSync(path, { force: true })
      db.close()
    },
  }
}

/** Whether nobody lives under this id any more. Asked of one's own process, the answer is no. */
export function isHostDead(folder: string, host: string): boolean {
  const path = lockPath(folder, host)
  if (registry().has(path)) return false
  if (!existsSync(path)) return true
  let db: Database.Database | null = null
  try {
    db = new Database(path, { readonly: true, fileMustExist: true, timeout: 0 })
    db.prepare("SELECT count(*) FROM sqlite_master").get() // a shared lock: two who ask do not mislead each other
    return true
  } catch (error) {
    if (isSqliteError(error) && error.code.startsWith("SQLITE_BUSY")) return false
    if (!existsSync(path)) return true
    return false // whatever else it is, it is no proof of death
  } finally {
    db?.close()
  }
}
