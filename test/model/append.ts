/**
 * How a host appends: fenced by its ownership, with its volatile part brought into line with what the log says
 * afterwards. A host that was deposed learns it here, and stops.
 */
import type { Input } from "../../machines/index.ts"
import type { Config } from "./config.ts"
import { commit } from "./log.ts"
import { settled } from "./properties.ts"
import { breakBy, stateOf, turnOfRun } from "./state.ts"
import { type Host, type Row, sessionStream, type World } from "./world.ts"

export type Role = "owner" | "deposed"

export const withHost = (world: World, role: Role, host: Host | null): World =>
  role === "owner" ? { ...world, owner: host } : { ...world, deposed: host }

/** `answers`: the effect that this input is the first outcome of, if it is one. `before` goes into the same commit. */
export function append(
  config: Config,
  world: World,
  role: Role,
  run: string,
  input: Input,
  answers: readonly Row[] = [],
  before: readonly Input[] = [],
): World {
  const host = world[role]
  if (host === null) return world
  const fenced = role === "deposed" && !config.faults.includes("noEpochFence")
  if (fenced) return withHost(world, role, null)
  const done = [...before, input].reduce<World | null>(
    (at, each) => at && commit(config, at, `run:${run}`, each, each === input ? answers : []),
    world,
  )
  if (done === null) return breakBy(world, "observations", `${run} rejected ${input.type}`)
  const waits = ["spawning", "active"].includes(stateOf(done, run))
  const next = withHost(done, role, {
    ...host,
    started: input.type === "found" || !waits ? null : host.started,
    seen: input.type === "found" || !waits ? null : host.seen,
    effect: host.effect !== null && answers.includes(host.effect.row) ? null : host.effect,
  })
  if (role === "deposed") return breakBy(next, "I35", `${input.type} of a deposed host is in the log`)
  return planted(config, next, run, input)
}

/** Faults of a host that does a second thing with what it appends. */
function planted(config: Config, world: World, run: string, input: Input): World {
  const turn = turnOfRun(run)
  if (config.faults.includes("secondTerminal") && input.type === "found" && input.exit !== null)
    return settled(world, turn, "failed")
  if (config.faults.includes("nextTurnEarly") && input.type === "resultSeen") {
    const over = {
      type: "turnSettled",
      turn,
      outcome: "succeeded",
      failure: null,
      conversation: null,
      broken: false,
    }
    return commit(config, world, sessionStream, over) ?? world
  }
  return world
}
