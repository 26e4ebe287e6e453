/**
 * The list of streams that were found unusable, for people to read. It decides nothing: whether a stream can be
 * used is asked of the log each time, so that a newer version can use what an older one could not read.
 */
import type { Db } from "./database.ts"
import type { StreamQuarantined } from "./errors.ts"

export function quarantineTable(db: Db) {
  const add = db.prepare<[string, number, string]>(
    "INSERT OR REPLACE INTO quarantine (stream, position, reason) VALUES (?, ?, ?)",
  )
  const remove = db.prepare<[string]>("DELETE FROM quarantine WHERE stream = ?")
  return {
    list: ({ stream, position, reason }: StreamQuarantined) => void add.run(stream, position, reason),
    lift: (stream: string) => void remove.run(stream),
  }
}
