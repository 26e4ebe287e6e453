/**
 * The store's front door: opens a state folder for reading or for a host. It decides nothing itself.
 */
import { openFolder } from "./folder.ts"
import { type Reader, readerOf } from "./reader.ts"
import type { Definitions } from "./types.ts"
import { type Store, type WriterOptions, writerOf } from "./writer.ts"

export type { RawRow } from "./chain.ts"
export type { EraseReport } from "./erase.ts"
export * from "./errors.ts"
export type { InboxAnswer, PostedCommand } from "./inbox.ts"
export type { OutboxQuery } from "./outbox.ts"
export { type HostLock, isHostDead, lockHost } from "./owner-lock.ts"
export type { ClaimedSession, ClaimRequest } from "./owners.ts"
export type { EventQuery } from "./read.ts"
export type { Reader } from "./reader.ts"
export type { RebuildReport } from "./rebuild.ts"
export type * from "./types.ts"
export type { Problem, VerifyReport } from "./verify.ts"
export type { Store } from "./writer.ts"

/** For a process that only reads. */
export interface ReadOptions {
  /** Absolute path of the state folder; it must hold a log. */
  readonly folder: string
  /** The machines, to replay with. */
  readonly definitions: Definitions
  readonly mode: "read"
}
/** For a host. */
export interface WriteOptions extends WriterOptions {
  /** Absolute path of the state folder; made with mode 0700 if it is not there. */
  readonly folder: string
  readonly mode: "write"
}

/**
 * Throws `StateFolderRefused` or `StoreUnavailable`. For writing, the folder and its log are made and migrated.
 * A reader makes no folder, no log and no lock, and works while a host writes.
 */
export function openStore(options: WriteOptions): Store
export function openStore(options: ReadOptions): Reader
export function openStore(options: ReadOptions | WriteOptions): Reader | Store {
  const db = openFolder(options.folder, options.mode)
  try {
    return options.mode === "read" ? readerOf(db, options.definitions) : writerOf(db, options)
  } catch (error) {
    db.close()
    throw error
  }
}
