/**
 * Group commit: submissions that arrive in one turn of the event loop share one transaction, each in its own
 * savepoint. Callers hear only what is durable; listeners hear it first, in order. Nothing is decided here.
 */
import type { Db } from "./database.ts"
import { isSqliteError, translate } from "./database.ts"
import { LimitExceeded, StoreUnavailable } from "./errors.ts"
import type { CommitRange, Head, Receipt, Submission } from "./types.ts"

const maxGroup = 1024
const maxWaiting = 65_536

export interface Group {
  /** In its own savepoint; throws to have it rolled back. */
  readonly decide: (submission: Submission) => Receipt
  /** After the rollback of a savepoint, still in the transaction. */
  readonly refused: (submission: Submission, error: unknown) => void
  readonly head: () => Head
  readonly committed: () => void
  readonly failed: () => void
}

interface Waiting {
  readonly submission: Submission
  readonly resolve: (receipt: Receipt) => void
  readonly reject: (error: unknown) => void
}

export function committer(db: Db, begin: () => Group, lastPosition: number) {
  const statement = (sql: string) => db.prepare<[]>(sql)
  const start = statement("BEGIN IMMEDIATE")
  const commit = statement("COMMIT")
  const rollback = statement("ROLLBACK")
  const save = statement("SAVEPOINT submission")
  const release = statement("RELEASE submission")
  const back = statement("ROLLBACK TO submission")
  const waiting: Waiting[] = []
  const listeners = new Set<(range: CommitRange) => void>()
  let scheduled = false
  let published = lastPosition
  let closed = false

  function one(group: Group, { submission, resolve, reject }: Waiting): () => void {
    save.run()
    try {
      const receipt = group.decide(submission)
      release.run()
      return () => resolve(receipt)
    } catch (error) {
      // Only a refusal of ours, or a row that exists already, is one submission's own affair.
      if (isSqliteError(error) && !error.code.startsWith("SQLITE_CONSTRAINT")) throw error
      back.run()
      release.run()
      group.refused(submission, error)
      return () => reject(translate(error))
    }
  }

  function transact(batch: readonly Waiting[]): void {
    let group: Group | null = null
    try {
      start.run()
      group = begin()
      const answers: (() => void)[] = []
      for (const entry of batch) answers.push(one(group, entry))
      commit.run()
      group.committed()
      publish(group.head().position)
      for (const answer of answers) answer()
    } catch (error) {
      if (db.inTransaction) rollback.run()
      group?.failed()
      for (const { reject } of batch) reject(translate(error))
    }
  }

  function publish(to: number): void {
    const before = published
    published = to
    if (to === before) return
    for (const listener of listeners) {
      try {
        listener({ from: before + 1, to })
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error))
      }
    }
  }

  function flush(): void {
    scheduled = false
    if (waiting.length > 0) transact(waiting.splice(0, maxGroup))
    schedule()
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0) return
    scheduled = true
    setImmediate(flush)
  }

  return {
    submit(submission: Submission): Promise<Receipt> {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new StoreUnavailable("STORE_CLOSED"))
        if (waiting.length >= maxWaiting)
          return reject(new LimitExceeded("waiting submissions", maxWaiting, true))
        waiting.push({ submission, resolve, reject })
        schedule()
      })
    },
    onCommit(listener: (range: CommitRange) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Commit what waits, then take nothing more. */
    close(): void {
      while (waiting.length > 0) transact(waiting.splice(0, maxGroup))
      closed = true
    },
  }
}
