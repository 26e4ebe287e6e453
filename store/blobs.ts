/**
 * Texts and the per-session keys that name them. The only place that holds what was said; a log that names a
 * text by its keyed digest gives nothing away once the key is gone.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import type { Db } from "./database.ts"
import { BadSubmission, LimitExceeded, SessionErased, StreamUnknown } from "./errors.ts"
import type { Text } from "./types.ts"

export const maxTextBytes = 64 * 1024 * 1024

interface KeyRow {
  readonly key: Buffer | null
}

/** A text's name in the log: HMAC-SHA-256 in hex. */
export function digestWith(secret: Buffer, bytes: Uint8Array | string): string {
  return createHmac("sha256", secret).update(bytes).digest("hex")
}

export type Blobs = ReturnType<typeof blobsTable>
export function blobsTable(db: Db) {
  const findKey = db.prepare<[string], KeyRow>("SELECT key FROM keys WHERE session = ?")
  const findBlob = db.prepare<[string, string], { bytes: Buffer }>(
    "SELECT bytes FROM blobs WHERE session = ? AND digest = ?",
  )
  const addKey = () => db.prepare<[string, Buffer]>("INSERT OR IGNORE INTO keys (session, key) VALUES (?, ?)")
  const addBlob = () =>
    db.prepare<[string, string, Uint8Array]>(
      "INSERT OR IGNORE INTO blobs (session, digest, bytes) VALUES (?, ?, ?)",
    )

  function key(session: string): Buffer | null {
    const row = findKey.get(session)
    if (row !== undefined && row.key === null) throw new SessionErased(session)
    return row?.key ?? null
  }
  return {
    /** HMAC-SHA-256 in hex under the session's key, which is made on first use (never by a reader). */
    digest(session: string, bytes: Uint8Array | string): string {
      if (key(session) === null && db.readonly) throw new StreamUnknown(`session:${session}`)
      if (key(session) === null) addKey().run(session, randomBytes(32))
      const secret = key(session)
      if (secret === null) throw new SessionErased(session)
      return digestWith(secret, bytes)
    },
    /** Inside the transaction whose events name these texts. */
    keep(session: string, texts: readonly Text[]): void {
      if (texts.length === 0) return // nothing was said, so a session that was erased may go on
      const secret = key(session)
      for (const text of texts) {
        if (text.bytes.byteLength > maxTextBytes) throw new LimitExceeded("bytes in one text", maxTextBytes)
        if (text.session !== session) throw new BadSubmission("a text belongs to another session")
        if (secret === null || !sameHex(digestWith(secret, text.bytes), text.digest))
          throw new BadSubmission("a text's digest is not keyedDigest(session, bytes)")
        addBlob().run(session, text.digest, text.bytes)
      }
    },
    /** Null: never stored, or erased. */
    read: (session: string, digest: string): Uint8Array | null =>
      findBlob.get(session, digest)?.bytes ?? null,
  }
}

function sameHex(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
