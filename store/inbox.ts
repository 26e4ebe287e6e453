/**
 * Commands from processes that do not own the session: they post, the owner takes and submits, and the receipt
 * or the rejection is the answer. Nothing is stepped here, and no text is kept here (see `blobs.ts`).
 */
import { z } from "zod"
import type { Input } from "../machines/kernel.ts"
import { limits } from "../machines/kernel.ts"
import type { Blobs } from "./blobs.ts"
import type { Db } from "./database.ts"
import { CommandConflict, Deposed, LimitExceeded, StoreError, StreamUnknown } from "./errors.ts"
import { asciiJson, isObject, parseJson } from "./json.ts"
import { contentDigest, type StoredReceipt } from "./receipts.ts"
import { type Actor, actors, type Receipt, type Submission, type Text } from "./types.ts"

/** Commands that may wait for one session's owner. */
const maxOpen = 256

/** A command for a session that another host owns. */
export interface PostedCommand {
  /** Makes it idempotent, and finds the answer. */
  readonly id: string
  /** The stream to be stepped; it must exist. */
  readonly stream: string
  /** Stepped in order, all or none. */
  readonly inputs: readonly Input[]
  /** Texts that the inputs name. */
  readonly texts?: readonly Text[] | undefined
  /** Default `user`. */
  readonly actor?: Actor | undefined
}

/** What became of a posted command. `unknown`: no such id was posted here. */
export type InboxAnswer =
  | { readonly state: "unknown" }
  | { readonly state: "pending" }
  | { readonly state: "accepted"; readonly receipt: Receipt }
  | {
      readonly state: "rejected"
      readonly code: string
      readonly message: string
      readonly retryable: boolean
    }

/** Said of a row that cannot be read, so that whoever posted it does not wait for ever. */
const damaged = {
  code: "COMMAND_DAMAGED",
  message: "COMMAND_DAMAGED: the posted command cannot be read. Post it again.",
  retryable: true,
}
const rejection = z.strictObject({ code: z.string(), message: z.string(), retryable: z.boolean() })
const inputsColumn = z
  .string()
  .transform(parseJson)
  .pipe(z.array(z.custom<Input>(value => isObject(value) && typeof value.type === "string")))
const openRow = z.object({ id: z.string(), stream: z.string(), inputs: inputsColumn, actor: z.enum(actors) })

interface Lookups {
  readonly receipt: (command: string) => StoredReceipt | undefined
  readonly sessionOf: (stream: string) => string | undefined
  readonly owns: (session: string) => boolean
  readonly blobs: Blobs
}

export type Inbox = ReturnType<typeof inbox>
export function inbox(db: Db, { receipt, sessionOf, owns, blobs }: Lookups) {
  const find = db.prepare<[string], { digest: string; rejection: string | null }>(
    "SELECT digest, rejection FROM inbox WHERE id = ?",
  )
  const count = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM inbox WHERE session = ? AND rejection IS NULL",
  )
  const insert = db.prepare(
    `INSERT OR REPLACE INTO inbox (id, stream, session, inputs, actor, digest, posted_at)
     VALUES (:id, :stream, :session, :inputs, :actor, :digest, :posted_at)`,
  )
  const open = db.prepare<[], { id: string; session: string; digest: string }>(
    "SELECT * FROM inbox WHERE rejection IS NULL ORDER BY rowid",
  )
  const done = db.prepare<[string]>("DELETE FROM inbox WHERE id = ?")
  const refuse = db.prepare<[string, string, string]>(
    "UPDATE inbox SET rejection = ? WHERE id = ? AND digest = ?",
  )

  return {
    post(command: PostedCommand, now: number): void {
      const { id, stream, inputs, texts = [], actor = "user" } = command
      const session = sessionOf(stream)
      if (session === undefined) throw new StreamUnknown(stream)
      const digest = contentDigest(stream, inputs)
      const json = asciiJson(inputs)
      if (json.length > 8 * limits.eventChars)
        throw new LimitExceeded("characters in one command", 8 * limits.eventChars)
      db.transaction(() => {
        const given = receipt(id)
        const waiting = find.get(id)
        if (given !== undefined && given.digest !== digest) throw new CommandConflict(id)
        if (waiting?.rejection === null && waiting.digest !== digest) throw new CommandConflict(id)
        if (given !== undefined || waiting?.rejection === null) return
        if ((count.get(session)?.n ?? 0) >= maxOpen)
          throw new LimitExceeded("waiting commands", maxOpen, true)
        blobs.keep(session, texts)
        insert.run({ id, stream, session, inputs: json, actor, digest, posted_at: now })
      }).immediate()
    },
    /** Open commands of the sessions that this host owns, oldest first, ready to be submitted. */
    take(limit: number): Submission[] {
      const mine = open.all().filter(row => owns(row.session))
      return mine.slice(0, limit).flatMap(row => {
        const parsed = openRow.safeParse(row)
        if (!parsed.success) {
          refuse.run(asciiJson(damaged), row.id, row.digest)
          return []
        }
        const { id, stream, inputs, actor } = parsed.data
        return { stream, inputs, actor, command: { id } }
      })
    },
    answer(id: string): InboxAnswer {
      const given = receipt(id)
      if (given !== undefined) {
        const { position, version, state } = given
        return { state: "accepted", receipt: { duplicate: false, stale: false, position, version, state } }
      }
      const row = find.get(id)
      if (row === undefined) return { state: "unknown" }
      if (row.rejection === null) return { state: "pending" }
      return { state: "rejected", ...rejection.parse(JSON.parse(row.rejection)) }
    },
    /** In the transaction that accepted the command: from here on the receipt answers. */
    accepted: (id: string) => void done.run(id),
    /** In the transaction that refused it. What another owner or another try may accept stays open. */
    refused(submission: Submission, error: unknown): void {
      if (submission.command === undefined || !(error instanceof StoreError)) return
      if (error.retryable || error instanceof Deposed) return
      const { code, message, retryable } = error
      const digest = contentDigest(submission.stream, submission.inputs)
      refuse.run(asciiJson({ code, message, retryable }), submission.command.id, digest)
    },
  }
}
