/** Who is who in the model: pids, boots and namespaces of hosts, launchers and agents. Nobody dies here. */
import { type FolderContext, seenBy } from "../../machines/folder.ts"
import type { Found, ProcessIdentity } from "../../machines/index.ts"
import type { Config } from "./config.ts"
import { runContextOf } from "./known.ts"
import { folderOf, runOf } from "./state.ts"
import type { HostName, World } from "./world.ts"

const runIds = ["t1.1", "t1.2", "t2.1", "t2.2"]

export const bootName = (world: World): string => `boot${world.boot}`
export const namespaceOf = (config: Config, host: HostName): string =>
  config.namespaces ? `namespace${host}` : "namespace"

const identity = (world: World, pid: number, namespace: string): ProcessIdentity => ({
  pid,
  start: "1",
  boot: bootName(world),
  namespace,
  host: "here",
})
export const hostPid = (host: HostName): number => (host === "A" ? 901 : 902)
export const hostIdentity = (config: Config, world: World, host: HostName): ProcessIdentity =>
  identity(world, hostPid(host), namespaceOf(config, host))

/** The next launcher of a run; its agent has the pid ten above. */
export const launcherIdentity = (config: Config, world: World, run: string, host: HostName) =>
  identity(world, 100 * (1 + runIds.indexOf(run)) + runOf(world, run).spawns, namespaceOf(config, host))
export const agentIdentity = (launcher: ProcessIdentity): ProcessIdentity => ({
  ...launcher,
  pid: launcher.pid + 10,
})

/** What a host reads in a run's folder, with the faults that make it read wrong. */
export function look(config: Config, world: World, host: HostName, run: string): Found {
  const folder: FolderContext = folderOf(world, run)
  const { launchers, agents, spawns } = runOf(world, run)
  const sameBoot = runContextOf(world, run).boot === bootName(world)
  const here = folder.launcher === null || folder.launcher.namespace === namespaceOf(config, host)
  const seen = seenBy(folder, { sameBoot, here })
  const faulty = (fault: Config["faults"][number]) => config.faults.includes(fault)
  if (faulty("bootRuleIgnored")) return { ...seen, sameBoot: true }
  if (faulty("agentFileTrusted") && seen.claim === "launcher") return { ...seen, sameBoot: true }
  if (faulty("zombieTakenForAlive") && seen.process === "dead") return { ...seen, process: "alive" }
  if (faulty("exitNotAtomic") && launchers.some(launcher => launcher.at === "waiting") && agents.length > 0)
    return { ...seen, exit: seen.exit ?? 0 }
  if (faulty("pidFromSpawn") && seen.process === "alive") {
    const latest = launchers.some(({ id }) => id.pid % 10 === spawns - 1)
    return { ...seen, process: latest ? "alive" : "dead" }
  }
  return seen
}
