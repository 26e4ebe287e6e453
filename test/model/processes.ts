/** Everybody that a run started: each live process may make its next step. */
import { agentMoves } from "./agent.ts"
import type { Config } from "./config.ts"
import type { Move } from "./explore.ts"
import { launcherMoves } from "./launcher.ts"
import type { World } from "./world.ts"

export function processMoves(config: Config, world: World): Move<World>[] {
  return Object.entries(world.runs).flatMap(([id, run]) => [
    ...run.launchers.flatMap(launcher => launcherMoves(config, world, id, run, launcher)),
    ...run.agents.flatMap(agent => agentMoves(config, world, id, run, agent)),
  ])
}
