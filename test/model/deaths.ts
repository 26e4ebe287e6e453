/** How launchers and agents die, as everybody sees it in the folder. Who kills them is not decided here. */
import { orThrow } from "../../machines/index.ts"
import { folderOf, publish, runOf, withRun } from "./state.ts"
import type { Agent, Launcher, World } from "./world.ts"

export const replace = <T>(list: readonly T[], old: T, now: T): readonly T[] =>
  list.map(item => (item === old ? now : item))
const without = <T>(list: readonly T[], old: T): readonly T[] => list.filter(item => item !== old)

export function removeLauncher(world: World, id: string, launcher: Launcher): World {
  const next = withRun(world, id, { launchers: without(runOf(world, id).launchers, launcher) })
  const claimant = folderOf(world, id).launcher
  return claimant?.pid === launcher.id.pid ? orThrow(publish(next, id, { type: "launcherDied" })) : next
}

/** By a signal, from us or from the launcher. */
export const killAgent = (world: World, id: string, agent: Agent): World => endAgent(world, id, agent, 137)

export function endAgent(world: World, id: string, agent: Agent, status: number): World {
  const next = removeAgent(world, id, agent, status)
  const published = folderOf(world, id).agent
  return published?.pid === agent.id.pid ? orThrow(publish(next, id, { type: "agentDied" })) : next
}
export function removeAgent(world: World, id: string, agent: Agent, status: number): World {
  return withRun(world, id, { agents: without(runOf(world, id).agents, agent), status })
}
