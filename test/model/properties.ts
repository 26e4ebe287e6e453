/**
 * The invariants, as far as this model can tell them. Each is checked where it can break: when a turn settles,
 * when a prompt reaches an agent, when a signal hits, and in every state. Nothing here makes a move.
 */
import { z } from "zod"
import { orThrow, type TurnOutcome, turnOutcome } from "../../machines/index.ts"
import type { Violation } from "./explore.ts"
import { runContextOf } from "./known.ts"
import { breakBy, stateOf, turnOfRun } from "./state.ts"
import { type Past, sessionStream, turnIds, type World } from "./world.ts"

const nothing: Past = { outcomes: [], delivered: 0, interrupted: false }
export const pastOf = (world: World, turn: string): Past => world.past[turn] ?? nothing

export const remember = (world: World, turn: string, changes: Partial<Past>): World => ({
  ...world,
  past: { ...world.past, [turn]: { ...pastOf(world, turn), ...changes } },
})

/** Pids that the outcome of a turn names as not ended; a launcher out of reach stands for all that it starts. */
function named(world: World, turn: string): readonly number[] {
  const closed = z.object({ closed: z.object({ left: z.array(z.int()) }).nullable() })
  const context = world.log.streams[`turn:${turn}`]?.context
  return context === undefined ? [] : (closed.parse(context).closed?.left ?? [])
}

export const runsOfTurn = (world: World, turn: string) =>
  Object.entries(world.runs).filter(([run]) => turnOfRun(run) === turn)

/** A turn settled just now: I3, I9, I10. */
export function settled(world: World, turn: string, said?: TurnOutcome): World {
  const outcome = said ?? turnOutcome.parse(orThrow(world.log.streams[`turn:${turn}`]).value)
  const outcomes = [...pastOf(world, turn).outcomes, outcome]
  const next = remember(world, turn, { outcomes })
  if (outcomes.length > 1) return breakBy(next, "I3", `${turn} ended twice: ${outcomes.join(", ")}`)
  if (outcome === "interrupted" && !pastOf(world, turn).interrupted)
    return breakBy(next, "truth", `${turn} ended as interrupted, and nobody asked for it`)
  if (named(world, turn).length > 0) return next
  for (const [id, run] of runsOfTurn(world, turn)) {
    const alive = [...run.agents, ...run.launchers.filter(launcher => launcher.at !== "started")]
    if (alive.length > 0) return breakBy(next, "I9", `${turn} ended while ${alive[0]?.id.pid} lives`)
    const answered = run.spool.includes("terminal") || runContextOf(world, id).conclusion?.terminal === true
    if (answered && outcome !== "succeeded")
      return breakBy(next, "I10", `${turn} was answered, and ended as ${outcome}`)
  }
  return next
}

/** The prompt reaches an agent: I8, I12. */
export function delivered(world: World, run: string): World {
  const turn = turnOfRun(run)
  const count = pastOf(world, turn).delivered + 1
  const next = remember(world, turn, { delivered: count })
  if (count > 1) return breakBy(next, "I8", `the prompt of ${turn} reached an agent twice`)
  const over = pastOf(world, turn).outcomes.length > 0 && named(world, turn).length === 0
  if (over) return breakBy(next, "I8", `${turn} was over already`)
  const earlier = turnIds.slice(0, turnIds.indexOf(turn === "t1" ? "t1" : "t2"))
  if (earlier.some(other => pastOf(world, other).outcomes.length === 0))
    return breakBy(next, "I12", `${turn} began before the one ahead of it ended`)
  return next
}

/** A launcher was asked for: I12. */
export function spawnedBy(world: World, run: string): World {
  const aborted = ["tombstoning", "closing", "closed"].includes(stateOf(world, run))
  return aborted ? breakBy(world, "I12", `${run} was spawned after its abort`) : world
}

/** A signal is on its way to an agent of this run: only for a reason, not because it was thought dead. */
export function signalled(world: World, run: string): World {
  const { reason } = runContextOf(world, run)
  if (reason !== "exited" && reason !== "vanished") return world
  return breakBy(world, "I10", `a working agent was ended because it was thought ${reason}`)
}

export function violations(world: World): readonly Violation[] {
  const working = Object.entries(world.runs).flatMap(([run, { agents }]) =>
    agents
      .filter(agent => agent.at === "running" && named(world, turnOfRun(run)).length === 0)
      .map(agent => agent.id.pid),
  )
  if (working.length < 2) return world.broken
  return [
    ...world.broken,
    { invariant: "I12", what: `agents ${working.join(" and ")} work at the same time` },
  ]
}

/** Every turn that was sent has its outcome, or waits for a person for a reason that can be read. */
export function atRest(world: World): boolean {
  if (turnIds.slice(0, world.sent).every(turn => pastOf(world, turn).outcomes.length > 0)) return true
  const { value, context } = orThrow(world.log.streams[sessionStream])
  return value === "paused" && context.current === null
}
