/**
 * The model put together: host A × host B × launcher × agent × user × crashes. Every move of everybody is here,
 * and what no longer matters is dropped, so that states that differ in nothing to come are one.
 */
import type { Config } from "./config.ts"
import { environmentMoves } from "./environment.ts"
import type { Model, Move } from "./explore.ts"
import { hostMoves } from "./host.ts"
import { processMoves } from "./processes.ts"
import { atRest, runsOfTurn, violations } from "./properties.ts"
import { turnOfRun } from "./state.ts"
import { initialWorld, turnIds, type World } from "./world.ts"

export function runFolderModel(config: Config): Model<World> {
  return {
    initial: initialWorld(config),
    violations,
    atRest,
    moves: world => {
      const moves = [
        ...hostMoves(config, world),
        ...processMoves(config, world),
        ...environmentMoves(config, world),
      ]
      return moves.map((move): Move<World> => ({ ...move, next: tidy(move.next) }))
    },
  }
}

/** A settled turn without live processes can change nothing any more; of it only the fact remains. */
function tidy(world: World): World {
  return turnIds.reduce((at, turn) => (isHistory(at, turn) ? forget(at, turn) : at), world)
}

function isHistory(world: World, turn: string): boolean {
  return (
    world.log.streams[`turn:${turn}`]?.status === "done" &&
    world.deposed === null &&
    runsOfTurn(world, turn).every(([, run]) => run.agents.length + run.launchers.length === 0)
  )
}

function forget(world: World, turn: string): World {
  const of = (stream: string) =>
    stream === `turn:${turn}` || (stream.startsWith("run:") && turnOfRun(stream.slice(4)) === turn)
  const drop = <T>(record: Readonly<Record<string, T>>, gone: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !gone(key)))
  return {
    ...world,
    log: {
      streams: drop(world.log.streams, of),
      outbox: world.log.outbox.filter(row => turnOfRun(row.run) !== turn),
      timers: world.log.timers.filter(row => turnOfRun(row.run) !== turn),
    },
    runs: drop(world.runs, run => turnOfRun(run) === turn),
    stranger: null,
    // Only that it is over: a way on does not depend on how.
    past: { ...world.past, [turn]: { outcomes: ["succeeded"], delivered: 0, interrupted: false } },
  }
}
