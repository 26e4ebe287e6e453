/**
 * The store's front door: opens a state folder and puts the parts together. It decides nothing itself; each
 * verb is one call into the file that knows it.
 */
import { appender } from "./append.ts"
import { blobsTable } from "./blobs.ts"
import { committer, type Group } from "./commit.ts"
import { type Db, guarded } from "./database.ts"
import { cacheTables } from "./derive.ts"
import { erase, type EraseReport, truncate } from "./erase.ts"
import { Deposed, StoreUnavailable, StreamQuarantined, StreamUnknown } from "./errors.ts"
import { openFolder } from "./folder.ts"
import { type InboxAnswer, inbox, type PostedCommand } from "./inbox.ts"
import { loader } from "./load.ts"
import { type OutboxQuery, readOutbox } from "./outbox.ts"
import { type ClaimedSession, type ClaimRequest, ownership } from "./owners.ts"
import { type RebuildReport, rebuild } from "./rebuild.ts"
import { type EventQuery, reads } from "./read.ts"
import { checkSubmission } from "./root.ts"
import { dueIn, readTimers } from "./timers.ts"
import type {
  Clock,
  CommitRange,
  Definitions,
  Head,
  Migrations,
  OutboxRow,
  Receipt,
  Submission,
  TimerRow,
  Undecodable,
} from "./types.ts"
import { type VerifyReport, verify } from "./verify.ts"
import { streamCache } from "./working.ts"

export * from "./errors.ts"
export { type HostLock, isHostDead, lockHost } from "./owner-lock.ts"
export type { InboxAnswer, PostedCommand } from "./inbox.ts"
export type { OutboxQuery } from "./outbox.ts"
export type { ClaimedSession, ClaimRequest } from "./owners.ts"
export type { EventQuery } from "./read.ts"
export type * from "./types.ts"
export type { EraseReport, Problem, RebuildReport, VerifyReport }
import type { Problem } from "./verify.ts"

export interface ReadOptions {
  readonly folder: string
  readonly definitions: Definitions
  readonly mode: "read"
}
export interface WriteOptions {
  readonly folder: string
  readonly definitions: Definitions
  readonly mode: "write"
  readonly clock: Clock
  /** Id of this host: letters, digits, `._-`; never used by two hosts. */
  readonly host: string
  readonly migrations?: Migrations | undefined
}

export interface Reader extends ReturnType<typeof readerVerbs> {}
export interface Store extends Reader, ReturnType<typeof writerVerbs> {}

/** Throws `StateFolderRefused` or `StoreUnavailable`. A reader creates nothing and never holds a lock. */
export function openStore(options: WriteOptions): Store
export function openStore(options: ReadOptions): Reader
export function openStore(options: ReadOptions | WriteOptions): Reader | Store {
  const db = openFolder(options.folder, options.mode)
  try {
    return options.mode === "read" ? readerVerbs(db, options) : writerVerbs(db, options)
  } catch (error) {
    db.close()
    throw error
  }
}
