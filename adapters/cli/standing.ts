/**
 * How a session stands at this moment, as far as anybody can tell from outside: its row alone cannot say whether its
 * host still lives, nor its agent. It asks the host's lock and the process table, and changes nothing.
 */
import { join } from "node:path"
import { judgeIdentity } from "../../effects/process/identity.ts"
import { readFolder } from "../../effects/run-folder/read.ts"
import { runIdOf } from "../../machines/words.ts"
import { isHostDead, type SessionRow } from "../../store/index.ts"
import type { Reading } from "./reading.ts"

export type Owner = "live" | "dead" | "none"

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

export function inWords(row: SessionRow, { owner, left, agentAlive }: Standing): string {
  if (row.state === "paused") return `paused: starts nothing until holdfast send ${row.session} --resume`
  if (!left) return row.currentTurn !== null ? "busy: its host is at work" : row.state
  const agent = {
    true: "its agent still runs",
    false: "its agent has ended",
    null: "its agent cannot be seen",
  }
  const who = owner === "dead" ? "left by a dead host" : "left by a host that closed"
  return `${row.state}: ${who}; ${agent[`${agentAlive}`]}; the next host takes it over`
}
