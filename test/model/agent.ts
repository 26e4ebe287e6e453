/**
 * An agent, from the shell that becomes it to its last line. It writes its script, and may die anywhere. It knows
 * the folder and nothing of the log.
 */
import type { Config } from "./config.ts"
import { endAgent, removeAgent, replace } from "./deaths.ts"
import type { Move } from "./explore.ts"
import { delivered } from "./properties.ts"
import { publish, spend, withRun } from "./state.ts"
import type { Agent, Run, World } from "./world.ts"

export function agentMoves(config: Config, world: World, id: string, run: Run, agent: Agent): Move<World>[] {
  const name = `agent ${agent.id.pid}`
  const set = (at: World, changes: Partial<Agent>) =>
    withRun(at, id, { agents: replace(run.agents, agent, { ...agent, ...changes }) })
  const moves: Move<World>[] = []
  const line = config.script[agent.wrote]
  if (agent.at === "starting") {
    const started = publish(world, id, { type: "agentStarted", agent: agent.id }) ?? world
    moves.push({ label: `${name}: publish agent`, fair: true, next: set(started, { at: "published" }) })
  } else if (agent.at === "published") {
    moves.push({
      label: `${name}: read the prompt`,
      fair: true,
      next: delivered(set(world, { at: "running" }), id),
    })
    const spent = spend(world, "obstacle")
    const back = spent && publish(spent, id, { type: "agentTakenBack" })
    if (back !== null)
      moves.push({
        label: `${name}: cannot be executed`,
        fair: false,
        next: removeAgent(back, id, agent, 127),
      })
  } else if (line !== undefined) {
    const wrote = set(world, { wrote: agent.wrote + 1 })
    moves.push({
      label: `${name}: write ${line}`,
      fair: true,
      next: withRun(wrote, id, { spool: [...run.spool, line] }),
    })
  } else moves.push({ label: `${name}: exit`, fair: true, next: endAgent(world, id, agent, 0) })

  const crashed = spend(world, "crashes", "agentCrash")
  if (crashed !== null)
    moves.push({ label: `${name} dies`, fair: false, next: endAgent(crashed, id, agent, 1) })
  return moves
}
