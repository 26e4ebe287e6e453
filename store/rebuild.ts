/**
 * Make every cache anew from the log, in one transaction. Events, owners, keys, texts and the inbox are not
 * caches and stay as they are.
 */
import type { Db } from "./database.ts"
import { eachRow, type Folded, folder } from "./fold.ts"
import { cacheNames, cacheRows, streamOfRow, withScratch } from "./scratch.ts"
import type { Definitions } from "./types.ts"

/** What a rebuild went through. */
export interface RebuildReport {
  /** Events that were folded. */
  readonly events: number
  /** Streams they belong to. */
  readonly streams: number
  /** Streams that cannot be followed to their end; they are quarantined. */
  readonly quarantined: number
}

export function rebuild(db: Db, definitions: Definitions): RebuildReport {
  return withScratch(scratch =>
    db
      .transaction(() => {
        const fold = folder(scratch.tables, definitions)
        for (const raw of eachRow(db)) fold.add(raw)
        const folded = fold.end()
        replaceCaches(db, scratch.db, folded.unmigrated)
        replaceQuarantine(db, folded)
        const { events, streams, broken } = folded
        return { events, streams, quarantined: broken.size }
      })
      .immediate(),
  )
}

function replaceCaches(db: Db, from: Db, unmigrated: ReadonlySet<string>): void {
  for (const cache of cacheNames) {
    const kept = (row: Readonly<Record<string, unknown>>) => unmigrated.has(streamOfRow(cache, row) ?? "")
    const rows = [
      ...cacheRows(db, cache).filter(kept), // only the cache still knows them
      ...cacheRows(from, cache).filter(row => !kept(row)),
    ]
    db.prepare(`DELETE FROM ${cache}`).run()
    const [first] = rows
    if (first === undefined) continue
    const names = Object.keys(first)
    const insert = db.prepare(
      `INSERT INTO ${cache} (${names.join(", ")}) VALUES (${names.map(name => `:${name}`).join(", ")})`,
    )
    for (const row of rows) insert.run(row)
  }
}

function replaceQuarantine(db: Db, { broken }: Folded): void {
  db.prepare("DELETE FROM quarantine").run()
  const insert = db.prepare("INSERT INTO quarantine (stream, position, reason) VALUES (?, ?, ?)")
  for (const [stream, { position, reason }] of broken) insert.run(stream, position, reason)
}
