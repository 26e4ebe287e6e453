/**
 * The verbs of a host: submit, own, answer, erase. It wires the parts to one connection and one clock; what a
 * verb means is in the file it calls.
 */
import { appender } from "./append.ts"
import { blobsTable } from "./blobs.ts"
import { committer, type Group } from "./commit.ts"
import { type Db, guarded, isSqliteError } from "./database.ts"
import { cacheTables } from "./derive.ts"
import { type EraseReport, erase } from "./erase.ts"
import { Deposed, StreamQuarantined } from "./errors.ts"
import { inbox, type PostedCommand } from "./inbox.ts"
import { loader } from "./load.ts"
import { type ClaimedSession, type ClaimRequest, ownership } from "./owners.ts"
import { quarantineTable } from "./quarantine.ts"
import { type Reader, readerOf } from "./reader.ts"
import { type RebuildReport, rebuild } from "./rebuild.ts"
import { checkSubmission } from "./root.ts"
import { dueIn } from "./timers.ts"
import type { Clock, CommitRange, Definitions, Migrations, Receipt, Submission, TimerRow } from "./types.ts"
import { streamCache } from "./working.ts"

/** The verbs of a host, beside those of a reader. */
export interface Store extends Reader {
  /** The host's id. */
  readonly host: string
  /** Resolves when the inputs and all they bring about are durable. Rejects with a `StoreError`. */
  readonly submit: (submission: Submission) => Promise<Receipt>
  /** Ranges of positions that became durable, in order and without gap; other hosts' commits are included. */
  readonly onCommit: (listener: (range: CommitRange) => void) => () => void
  /** Take over sessions of these agents whose host is dead or let them go. */
  readonly claimSessions: (request: ClaimRequest) => ClaimedSession[]
  /** Let go of every session, for others to claim. */
  readonly releaseSessions: () => void
  /** Whether this host may append to the session now. */
  readonly owns: (session: string) => boolean
  /** Ask the session's owner to run a command; `inboxAnswer` tells what became of it. */
  readonly postCommand: (command: PostedCommand) => void
  /** Commands that others posted for this host's sessions, as submissions. */
  readonly takeInbox: (limit?: number) => Submission[]
  /** Timers of this host's sessions that are due by the store's clock. */
  readonly dueTimers: () => TimerRow[]
  /** Timers of this host's sessions that are not due yet, with the milliseconds that are left, soonest first. */
  readonly nextTimers: () => { readonly timer: TimerRow; readonly inMs: number }[]
  /** Makes every cache anew from the log; nothing of the log is changed. */
  readonly rebuild: () => RebuildReport
  /** Only the owner may, or anybody once nobody owns the session. */
  readonly erase: (session: string) => EraseReport
}

export interface WriterOptions {
  readonly definitions: Definitions
  readonly migrations?: Migrations | undefined
  readonly clock: Clock
  readonly host: string
}

export function writerOf(db: Db, { definitions, migrations = {}, clock, host }: WriterOptions): Store {
  const tables = cacheTables(db)
  const blobs = blobsTable(db)
  const owners = ownership(db, host)
  const quarantine = quarantineTable(db)
  const load = loader(db, tables, definitions)
  const cache = streamCache(stream => {
    const loaded = load(stream)
    quarantine.lift(stream)
    return loaded
  })
  const append = appender({ db, tables, owners, blobs, definitions, migrations })
  const posted = inbox(db, {
    receipt: command => tables.receipts.find(command),
    sessionOf: stream => tables.streams.sessionOf(stream),
    owns: owners.owns,
    blobs,
  })

  function begin(): Group {
    const now = { at: Math.round(clock.wall()), awake: Math.round(clock.awake()) }
    const group = cache.group(append.head(), now)
    return {
      decide(submission) {
        const { working, merge } = group.savepoint()
        const receipt = append.decide(working, submission)
        if (submission.command !== undefined) posted.accepted(submission.command.id)
        merge()
        return receipt
      },
      refused(submission, error) {
        if (error instanceof StreamQuarantined) quarantine.list(error)
        if (error instanceof Deposed) cache.drop(error.session)
        if (isSqliteError(error)) cache.drop() // a version that is taken: what is cached is not what is there
        posted.refused(submission, error)
      },
      head: group.head,
      committed: group.committed,
      failed: () => cache.drop(),
    }
  }
  const commits = committer(db, begin, append.head().position)
  const reader = readerOf(db, definitions, owners.owns)
  const remaining = (timer: TimerRow) => dueIn(timer, { wall: clock.wall(), awake: clock.awake() })
  const ownTimers = () => reader.timers().filter(timer => owners.owns(timer.session))

  return {
    ...reader,
    host,
    async submit(submission) {
      checkSubmission(submission)
      return commits.submit(submission)
    },
    onCommit: listener => commits.onCommit(listener),
    claimSessions(request) {
      const claimed = guarded(() => owners.claim(request))
      for (const { session } of claimed) cache.drop(session)
      return claimed
    },
    releaseSessions: () => guarded(() => owners.releaseAll()),
    owns: owners.owns,
    postCommand: command => guarded(() => posted.post(command, Math.round(clock.wall()))),
    takeInbox: (limit = 100) => guarded(() => posted.take(limit)),
    dueTimers: () => ownTimers().filter(timer => remaining(timer) <= 0),
    nextTimers: () =>
      ownTimers()
        .map(timer => ({ timer, inMs: remaining(timer) }))
        .filter(({ inMs }) => inMs > 0)
        .toSorted((a, b) => a.inMs - b.inMs),
    rebuild() {
      cache.drop()
      return guarded(() => rebuild(db, definitions))
    },
    erase(session) {
      const owner = owners.ownerOf(session)
      if (owner !== undefined && owner.host !== null && !owners.owns(session))
        throw new Deposed(session, owner.host)
      return guarded(() => erase(db, session, Math.round(clock.wall())))
    },
    close() {
      commits.close()
      db.close()
    },
  }
}
