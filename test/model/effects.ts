/**
 * The interpreter of a host: every file operation, spawn and signal is a step of its own, and the outcome is
 * appended in another. The first row of a run is the only one of it at work.
 */
import { append, type Role, withHost } from "./append.ts"
import { tombstoneMoves } from "./claiming.ts"
import type { Config } from "./config.ts"
import { endMoves } from "./ending.ts"
import type { Move } from "./explore.ts"
import { runContextOf } from "./known.ts"
import { launchMoves, prepareMoves } from "./launching.ts"
import { runOf } from "./state.ts"
import type { Work } from "./work.ts"
import type { Host, Progress, Row, World } from "./world.ts"

/** The effect at work, or the first one of each run. */
export function effectMoves(config: Config, world: World, host: Host, role: Role): readonly Move<World>[] {
  if (host.effect !== null) return rowMoves(config, world, host, role, host.effect.row, host.effect.progress)
  if (role === "deposed") return []
  const { outbox } = world.log
  const first = outbox.filter((row, at) => outbox.findIndex(({ run }) => run === row.run) === at)
  return first.flatMap(row => rowMoves(config, world, host, role, row, { at: "taken" }))
}

function rowMoves(
  config: Config,
  world: World,
  host: Host,
  role: Role,
  row: Row,
  progress: Progress,
): readonly Move<World>[] {
  const name = `host ${host.name}`
  const work: Work = {
    config,
    world,
    host,
    role,
    row,
    progress,
    go: (label, now, changed = world) => ({
      label: `${name}: ${label}`,
      fair: true,
      next: withHost(changed, role, { ...host, effect: { row, progress: now } }),
    }),
    say: (input, changed = world, before = []) => ({
      label: `${name}: append ${input.type}`,
      fair: true,
      next: append(config, changed, role, row.run, input, [row], before),
    }),
  }
  if (row.kind === "prepare") return prepareMoves(work)
  if (row.kind === "launch") return launchMoves(work)
  if (row.kind === "tombstone") return tombstoneMoves(work)
  if (row.kind === "probe") return probeMoves(work)
  return endMoves(work)
}

function probeMoves({ world, host, row, progress, go, say }: Work): Move<World>[] {
  const { timer } = row.params
  if (progress.at === "probed")
    return [say({ type: "probed", timer, bytes: progress.lines, silentMs: progress.silent ? 9 : 0 })]
  const read =
    host.phase === "adopting" ? runContextOf(world, row.run).cursor : runOf(world, row.run).spool.length
  const probe = (silent: boolean) =>
    go(silent ? "look at the spool, silent for long" : "look at the spool", {
      at: "probed",
      lines: read,
      silent,
    })
  return [probe(false), probe(true)]
}
