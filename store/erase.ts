/**
 * Take back what was said: a session's texts, waiting commands and key. The events stay, and so does the chain;
 * without the key their digests name nothing. Spools and run folders are not this file's business.
 */
import type { Db } from "./database.ts"

/** What an erasure took away. */
export interface EraseReport {
  /** How many texts were removed. */
  readonly texts: number
  /** False: a reader still holds old pages of the write-ahead log. Erase again when it is gone. */
  readonly complete: boolean
}

export function erase(db: Db, session: string, now: number): EraseReport {
  const texts = db
    .transaction(() => {
      const { changes } = db.prepare<[string]>("DELETE FROM blobs WHERE session = ?").run(session)
      db.prepare<[string]>("DELETE FROM inbox WHERE session = ?").run(session)
      // The row stays without its key, so that no new key is made for a session that was erased.
      db.prepare<[string, number]>(
        `INSERT INTO keys (session, key, erased_at) VALUES (?, NULL, ?)
         ON CONFLICT(session) DO UPDATE SET key = NULL, erased_at = coalesce(erased_at, excluded.erased_at)`,
      ).run(session, now)
      return changes
    })
    .immediate()
  return { texts, complete: truncate(db) }
}

/** Bring the write-ahead log into the file and cut it to nothing; `secure_delete` has zeroed what was there. */
function truncate(db: Db): boolean {
  const patience = Number(db.pragma("busy_timeout", { simple: true }))
  db.pragma("busy_timeout = 100") // a reader is not waited for: the caller is told, and asks again
  const result = db.pragma("wal_checkpoint(TRUNCATE)")
  db.pragma(`busy_timeout = ${patience}`)
  const [row] = Array.isArray(result) ? (result as { busy?: number }[]) : [] // one row, by SQLite's manual
  return row?.busy === 0
}
