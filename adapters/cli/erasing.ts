/**
 * Taking a session's texts away, by a host that does nothing else: it knows no agent, so it adopts no run and starts
 * none, and it needs no agent's program or key. Only the owner may erase, so it becomes the owner for that moment.
 */
import { Effect, Layer } from "effect"
import { monotonicFactory } from "ulid"
import { eraseSession } from "../../effects/host/retention.ts"
import { Log } from "../../effects/log.ts"
import { clocks } from "../../effects/moments.ts"
import { RunFolders } from "../../effects/run-folder/folder.ts"
import { Settings } from "../../effects/settings.ts"
import { definitions } from "../../machines/index.ts"
import {
  type EraseReport,
  isHostDead,
  lockHost,
  openStore,
  type SessionRow,
  type Store,
} from "../../store/index.ts"
import { Refusal } from "../library/errors.ts"

/** Refused with `SESSION_ELSEWHERE` while another host that lives owns it, and `SESSION_BUSY` while a turn runs. */
export async function erase(folder: string, session: string): Promise<EraseReport> {
  const host = `h${monotonicFactory()().toLowerCase()}`
  const store = openStore({ folder, definitions, clock: clocks, host, mode: "write" })
  try {
    const lock = lockHost(folder, host)
    try {
      own(store, folder, session)
      return await Effect.runPromise(eraseSession(session).pipe(Effect.provide(services(store, folder))))
    } finally {
      store.releaseSessions()
      lock.release()
    }
  } finally {
    store.close()
  }
}

function own(store: Store, folder: string, id: string): void {
  const { agent } = idle(store, id)
  const owner = store.ownerOf(id)?.host ?? null
  // Of the dead only its own host is called dead: what others left is for a host that can carry it on.
  const isDead = (host: string) => host === owner && isHostDead(folder, host)
  store.claimSessions({ agents: [agent], session: id, isHostDead: isDead })
  if (!store.owns(id)) throw new Refusal("SESSION_ELSEWHERE", id)
  idle(store, id) // again, now that nobody else can begin a turn
}

function idle(store: Store, id: string): SessionRow {
  const row = store.session(id)
  if (row === null || row.undecodable) throw new Refusal("SESSION_UNKNOWN", id)
  if (row.currentTurn !== null) throw new Refusal("SESSION_BUSY", id)
  return row
}

const services = (store: Store, folder: string) =>
  Layer.mergeAll(
    Log.layer(store),
    RunFolders.layer(folder),
    Layer.succeed(Settings, {
      folder,
      host: store.host,
      agents: new Map(),
      env: {},
      pollMs: 25,
      quietPollMs: 25,
      spoolRetentionMs: 0,
      maxLineBytes: 0,
    }),
  )
