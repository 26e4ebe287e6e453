/**
 * Ending a run: processes are found, then signalled one by one, each verified in the same step as the signal, the
 * launcher last; when nobody is left the spool is read to its end.
 */

import { killAgent, removeLauncher } from "./deaths.ts"
import type { Move } from "./explore.ts"
import { look, namespaceOf } from "./identities.ts"
import { runContextOf } from "./known.ts"
import { signalled } from "./properties.ts"
import { conclusion } from "./spool.ts"
import { breakBy, folderOf, runOf } from "./state.ts"
import type { Work } from "./work.ts"
import type { Progress, World } from "./world.ts"

export function endMoves(work: Work): Move<World>[] {
  const { config, world, host, row, progress, go } = work
  if (progress.at === "drained") return [ended(work, progress)]
  if (progress.at === "aimed")
    return [go(`signal ${progress.target.pid}`, { at: "taken" }, signal(work, progress.target.pid))]
  const { agents, launchers } = runOf(world, row.run)
  const reachable = [...agents, ...launchers].filter(
    ({ id }) => id.namespace === namespaceOf(config, host.name),
  )
  const target = reachable[0]
  if (target !== undefined && !config.faults.includes("settledBeforeDead"))
    return [go(`aim at ${target.id.pid}`, { at: "aimed", target: target.id })]
  const { spool } = runOf(world, row.run)
  const early = host.phase === "adopting"
  const lines = config.faults.includes("endWithoutSpool")
    ? []
    : early
      ? spool.slice(0, runContextOf(world, row.run).cursor)
      : spool
  return [
    go("read the spool to its end", {
      at: "drained",
      lines,
      seen: look(config, world, host.name, row.run),
      left: outOfReach(work),
    }),
  ]
}

/** Whom the folder names and this host cannot judge. */
function outOfReach({ config, world, host, row }: Work): readonly number[] {
  const { launcher, agent } = folderOf(world, row.run)
  const current = `boot${world.boot}`
  return [launcher, agent].flatMap(id =>
    id !== null && id.boot === current && id.namespace !== namespaceOf(config, host.name) ? [id.pid] : [],
  )
}

function signal({ config, world, row }: Work, pid: number): World {
  const { agents, launchers } = runOf(world, row.run)
  const agent = agents.find(({ id }) => id.pid === pid)
  if (agent !== undefined) {
    const killed = killAgent(world, row.run, agent)
    return row.params.mode === "sweep" ? signalled(killed, row.run) : killed
  }
  const launcher = launchers.find(({ id }) => id.pid === pid)
  if (launcher !== undefined) return removeLauncher(world, row.run, launcher)
  const hit = config.faults.includes("unverifiedSignal") && world.stranger === pid
  return hit ? breakBy(world, "I11", `a stranger with pid ${pid} got a signal of ours`) : world
}

/** A run that was taken for never started is looked at again, now that nobody can go on. */
function ended(
  { config, world, row, say }: Work,
  { lines, seen, left }: Extract<Progress, { at: "drained" }>,
): Move<World> {
  const { cursor, reason } = runContextOf(world, row.run)
  const end = { ...conclusion(lines.includes("terminal")), emitted: lines.includes("text"), left }
  const looks = reason === "neverStarted" && !config.faults.includes("orphanForgotten")
  const again = looks ? [{ type: "found", ...seen }] : []
  return say({ type: "ended", cursor: Math.max(lines.length, cursor), ...end }, world, again)
}
