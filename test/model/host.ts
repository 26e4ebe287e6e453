/**
 * A host as a process of small steps: it takes the ownership, adopts, and then lives. Taking over from one that
 * still lives leaves that one deposed: what it had taken up goes on until it tries to append.
 */
import { adoptMoves } from "./adopt.ts"
import type { Config } from "./config.ts"
import { effectMoves } from "./effects.ts"
import type { Move } from "./explore.ts"
import { liveMoves } from "./live.ts"
import { spend } from "./state.ts"
import type { World } from "./world.ts"

export function hostMoves(config: Config, world: World): Move<World>[] {
  const { owner, deposed } = world
  return [
    ...openMoves(world),
    ...(owner?.phase === "adopting" ? adoptMoves(config, world, owner) : []),
    ...(owner?.phase === "live" ? liveMoves(config, world, owner) : []),
    ...(deposed === null ? [] : effectMoves(config, world, deposed, "deposed")),
  ]
}

function openMoves(world: World): Move<World>[] {
  const { nextHost: name, owner } = world
  const opened = (at: World): World => ({
    ...at,
    owner: { name, phase: "adopting", judged: false, seen: null, effect: null, started: null },
    nextHost: name === "A" ? "B" : "A",
  })
  if (owner === null && world.deposed?.name !== name)
    return [{ label: `host ${name}: open`, fair: true, next: opened(world) }]
  const spent = world.deposed === null && owner?.phase === "live" ? spend(world, "takeover") : null
  if (spent === null || owner === null) return []
  const row = spent.log.outbox[0]
  const effect = owner.effect ?? (row === undefined ? null : { row, progress: { at: "taken" } as const })
  const next = opened({ ...spent, deposed: effect && { ...owner, seen: null, effect } })
  return [{ label: `host ${name}: take over from ${owner.name}`, fair: false, next }]
}
