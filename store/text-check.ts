/**
 * Whether the texts are what the events name: there, unless their session was erased, and still what was said. The
 * digests are keyed by session, so a text that was changed or moved to another one does not match its name.
 */
import { textsNamedIn } from "../machines/words.ts"
import { digestWith } from "./blobs.ts"
import type { Db } from "./database.ts"

export type TextProblem = "TEXT_MISSING" | "TEXT_DIFFERS" | "TEXT_UNNAMED"

interface BlobRow {
  readonly session: string
  readonly digest: string
  readonly bytes: Buffer
}

export function textChecker(db: Db) {
  const key = db.prepare<[string], { key: Buffer | null }>("SELECT key FROM keys WHERE session = ?")
  const blob = db.prepare<[string, string], { n: number }>(
    "SELECT count(*) AS n FROM blobs WHERE session = ? AND digest = ?",
  )
  const blobs = db.prepare<[], BlobRow>("SELECT session, digest, bytes FROM blobs ORDER BY session, digest")
  /** Texts found missing are told once, by the first event that names them. */
  const told = new Set<string>()

  return {
    /** Of one event, by its data as it is stored. */
    named(session: string | undefined, data: unknown): readonly TextProblem[] {
      if (session === undefined || typeof data !== "string" || key.get(session)?.key == null) return []
      const missing = textsNamedIn(parsed(data)).filter(
        digest => blob.get(session, digest)?.n === 0 && !told.has(`${session} ${digest}`),
      )
      for (const digest of missing) told.add(`${session} ${digest}`)
      return missing.map(() => "TEXT_MISSING")
    },
    /** Of all texts that are there. */
    *kept(): Generator<{ readonly session: string; readonly problem: TextProblem }> {
      for (const { session, digest, bytes } of blobs.iterate()) {
        const secret = key.get(session)?.key
        if (secret == null) yield { session, problem: "TEXT_UNNAMED" }
        else if (digestWith(secret, bytes) !== digest) yield { session, problem: "TEXT_DIFFERS" }
      }
    },
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return null // told by the replay
  }
}
