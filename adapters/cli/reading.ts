/**
 * How the verbs that read open the log: read only, without owning, recovering or creating anything, beside
 * whatever host is at work. What a session's row alone cannot say, whether its host still lives, is asked here.
 */
import { join } from "node:path"
import { type FollowOptions, follow } from "../../effects/follow/follow.ts"
import { judgeIdentity } from "../../effects/process/identity.ts"
import { readFolder } from "../../effects/run-folder/read.ts"
import { definitions, runIdOf } from "../../machines/index.ts"
import { isHostDead, openStore, type Reader, type SessionRow, type Store } from "../../store/index.ts"
import { Refusal } from "../library/errors.ts"
import { stateFolder } from "../library/host.ts"
import { allAgents } from "./agents.ts"

export interface Reading {
  readonly folder: string
  readonly store: Reader
}

export async function withReading<T>(home: string | undefined, use: (reading: Reading) => T | Promise<T>): Promise<T> {
  const folder = stateFolder(process.env, home)
  const store = openStore({ folder, definitions, mode: "read" })
  try {
    return await use({ folder, store })
  } finally {
    store.close()
  }
}

export function sessionRow({ store }: Reading, session: string): SessionRow {
  const row = store.session(session)
  if (row === null || row.undecodable) throw new Refusal("SESSION_UNKNOWN", session)
  return row
}

/** Everything that can be followed of a session; `live` waits for more. */
export function followSession(
  { folder, store }: Reading,
  options: Pick<FollowOptions, "session" | "turn" | "cursor" | "live" | "signal">,
) {
  return follow({
    ...options,
    folder,
    store: store as Store, // following only reads, and a reader has all the verbs that it uses
    agents: allAgents(),
    maxLineBytes: 16 * 1024 * 1024,
    pollMs: 25,
  })
}

export type Owner = "live" | "dead" | "none"

/** How a session stands at this moment, as far as anybody can tell from outside. */
export interface Standing {
  readonly host: string | null
  readonly owner: Owner
  /** It says busy, and nobody is there to carry it on. */
  readonly left: boolean
  /** Whether the agent of its current turn runs; null when there is none, or it cannot be told. */
  readonly agentAlive: boolean | null
}

export function standingOf(reading: Reading, row: SessionRow): Standing {
  const host = reading.store.ownerOf(row.session)?.host ?? null
  const owner = host === null ? "none" : isHostDead(reading.folder, host) ? "dead" : "live"
  const left = row.currentTurn !== null && owner !== "live"
  return { host, owner, left, agentAlive: agentAlive(reading, row.currentTurn) }
}

function agentAlive({ folder, store }: Reading, turn: string | null): boolean | null {
  const row = turn === null ? null : store.turn(turn)
  if (row === null || row.undecodable || row.runs === 0) return null
  const { agent, exit } = readFolder(join(folder, "runs", runIdOf(row.turn, row.runs)))
  if (exit !== null) return false
  const judgement = agent === null ? "elsewhere" : judgeIdentity(agent)
  return judgement === "elsewhere" ? null : judgement === "alive"
}
