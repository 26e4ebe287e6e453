/**
 * The first answer to every command, for whoever asks with the same id again. A cache of the log: an event that
 * a command caused carries its id and the digest of its content.
 */
import { hash } from "node:crypto"
import type { EventRow } from "./chain.ts"
import type { Db } from "./database.ts"
import { migrated } from "./decode.ts"
import { canonicalJson } from "./json.ts"

export interface StoredReceipt {
  readonly digest: string
  readonly stream: string
  readonly position: number
  readonly version: number
  readonly state: string
}

/** Names a command's content; its inputs hold no text, so a bare hash gives nothing away. */
export function contentDigest(stream: string, inputs: readonly unknown[]): string {
  return hash("sha256", canonicalJson([stream, inputs]))
}

export function receiptsTable(db: Db) {
  const find = db.prepare<[string], StoredReceipt>(
    "SELECT digest, stream, position, version, state FROM receipts WHERE command = ?",
  )
  const write = db.prepare(
    `INSERT INTO receipts (command, digest, stream, position, version, state)
     VALUES (:causation, :command_digest, :stream, :position, :version, :to_state)
     ON CONFLICT(command) DO UPDATE
     SET position = excluded.position, version = excluded.version, state = excluded.state`,
  )
  const reach = db.prepare<[number, string]>("UPDATE receipts SET position = ? WHERE command = ?")
  const settle = db.prepare<[number, number, string, string, string]>(
    "UPDATE receipts SET position = ?, version = ?, state = ? WHERE command = ? AND stream = ?",
  )
  /** The command whose consequences are being recorded: sends follow their root at once, in any stream. */
  let root: string | null = null
  return {
    find: (command: string) => find.get(command),
    record(event: EventRow) {
      if (event.type === migrated) return // may come between a root and its sends
      if (event.cause !== "event") root = event.cause === "command" ? event.causation : null
      if (event.cause === "command") write.run(event)
      if (event.cause !== "event" || root === null) return
      reach.run(event.position, root)
      settle.run(event.position, event.version, event.to_state, root, event.stream)
    },
  }
}
