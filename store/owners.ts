/**
 * Which host may append to a session, and since which epoch. The lock of `owner-lock.ts` says only who lives;
 * the fence here, inside every transaction, is what keeps a deposed host from writing.
 */
import type { Db } from "./database.ts"
import { Deposed } from "./errors.ts"

/** A session that was taken over. */
export interface ClaimedSession {
  /** Its id. */
  readonly session: string
  /** Name of its agent. */
  readonly agent: string
  /** Grows with every change of owner; every append carries it. */
  readonly epoch: number
  /** Null: it had been released. */
  readonly previousHost: string | null
}
/** Which sessions to take over. */
export interface ClaimRequest {
  /** Only sessions of these agents are taken. */
  readonly agents: readonly string[]
  /** Only this one. Default: all. */
  readonly session?: string | undefined
  /** Asked once per other host; see `isHostDead`. */
  readonly isHostDead: (host: string) => boolean
}
interface OwnerRow {
  readonly host: string | null
  readonly epoch: number
}
interface ClaimableRow extends OwnerRow {
  readonly session: string
  readonly agent: string
}

export type Ownership = ReturnType<typeof ownership>
export function ownership(db: Db, host: string) {
  const find = db.prepare<[string], OwnerRow>("SELECT host, epoch FROM owners WHERE session = ?")
  const create = db.prepare<[string, string]>("INSERT INTO owners (session, host, epoch) VALUES (?, ?, 1)")
  const open = db.prepare<[], ClaimableRow>(
    `SELECT session, owners.host, owners.epoch, sessions.agent
     FROM owners JOIN sessions USING (session) WHERE sessions.agent IS NOT NULL`,
  )
  const take = db.prepare<[string, string, number]>(
    "UPDATE owners SET host = ?, epoch = epoch + 1 WHERE session = ? AND epoch = ?",
  )
  const release = db.prepare<[string, string, number]>(
    "UPDATE owners SET host = NULL WHERE session = ? AND host = ? AND epoch = ?",
  )
  /** What this process claimed. Believed only as far as the table agrees. */
  const held = new Map<string, number>()

  function epochHeld(session: string, owner = find.get(session)): number | null {
    const epoch = held.get(session)
    return owner !== undefined && owner.host === host && owner.epoch === epoch ? epoch : null
  }

  return {
    /** The epoch to append with; to be asked inside the transaction that appends. */
    fence(session: string): number {
      const owner = find.get(session)
      const epoch = epochHeld(session, owner)
      if (epoch === null) throw new Deposed(session, owner?.host ?? null)
      return epoch
    },
    /** For a session whose first event is being appended. Its rollback takes the row along. */
    claimNew(session: string): number {
      const owner = find.get(session)
      if (owner !== undefined) throw new Deposed(session, owner.host)
      create.run(session, host)
      held.set(session, 1)
      return 1
    },
    owns: (session: string): boolean => epochHeld(session) !== null,
    ownerOf: (session: string): OwnerRow | undefined => find.get(session),
    claim({ agents, session, isHostDead }: ClaimRequest): ClaimedSession[] {
      const wanted = open
        .all()
        .filter(row => session === undefined || row.session === session)
        .filter(row => agents.includes(row.agent) && epochHeld(row.session, row) === null)
      // Judged before the transaction: asking for another host's lock touches files.
      const others = new Set(wanted.flatMap(row => (row.host === null || row.host === host ? [] : row.host)))
      const dead = new Set([...others].filter(isHostDead))
      const free = wanted.filter(row => row.host === null || row.host === host || dead.has(row.host))
      const taken = db
        .transaction(() => free.filter(row => take.run(host, row.session, row.epoch).changes === 1))
        .immediate()
      return taken.map(({ session, agent, epoch, host: previousHost }) => {
        held.set(session, epoch + 1)
        return { session, agent, epoch: epoch + 1, previousHost }
      })
    },
    releaseAll(): void {
      db.transaction(() => {
        for (const [session, epoch] of held) release.run(session, host, epoch)
      }).immediate()
      held.clear()
    },
  }
}
