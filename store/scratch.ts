/**
 * A second set of cache tables, in memory, to fold the log into: what the caches should be. Rows are compared
 * and copied table by table; nothing here touches the log.
 */
import Database from "better-sqlite3"
import type { Db } from "./database.ts"
import { cacheTables, type Tables } from "./derive.ts"
import { type Cache, cacheSchema, caches } from "./schema.ts"

export interface Scratch {
  readonly db: Db
  readonly tables: Tables
}
export type CacheRow = Readonly<Record<string, unknown>>

export function withScratch<T>(use: (scratch: Scratch) => T): T {
  const db = new Database(":memory:")
  try {
    db.exec(cacheSchema)
    return use({ db, tables: cacheTables(db) })
  } finally {
    db.close()
  }
}

export const cacheNames = Object.keys(caches) as readonly Cache[] // the keys of a constant

export function cacheRows(db: Db, cache: Cache): CacheRow[] {
  return db.prepare<[], CacheRow>(`SELECT * FROM ${cache} ORDER BY ${caches[cache].join(", ")}`).all()
}

export const cacheKey = (cache: Cache, row: CacheRow): string =>
  JSON.stringify(caches[cache].map(column => row[column]))

/** The stream that a cache row is about; receipts are about a command and follow from columns alone. */
export function streamOfRow(cache: Cache, row: CacheRow): string | null {
  if (cache === "receipts") return null
  if (cache === "sessions") return `session:${String(row.session)}`
  if (cache === "turns") return `turn:${String(row.turn)}`
  return String(row.stream)
}
