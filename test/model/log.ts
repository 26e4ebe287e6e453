/**
 * The durable log in short: one commit steps a stream and all that it sends, and changes outbox and timers with
 * it. What an input means is asked of the real machines. Nothing here reads a folder or a process.
 */
import { definitions, type Input, idOf, machineOf, orThrow } from "../../machines/index.ts"
import type { Config } from "./config.ts"
import { settled } from "./properties.ts"
import { breakBy } from "./state.ts"
import { stepped } from "./stepped.ts"
import type { Log, Row, World } from "./world.ts"

/** Null: the command was rejected, and nothing was appended. `answers` are the outbox rows that this ends. */
export function commit(
  config: Config,
  world: World,
  stream: string,
  input: Input,
  answers: readonly Row[] = [],
): World | null {
  const queue = [{ stream, input }]
  const over: string[] = []
  let log: Log = { ...world.log, outbox: world.log.outbox.filter(row => !answers.includes(row)) }
  for (const at of queue) {
    const done = tryStep(config, log, at.stream, at.input)
    if (done === null) return breakBy(world, "observations", `${at.stream} threw at ${at.input.type}`)
    if (done.rejected && at === queue[0]) return null
    if (done.rejected) return breakBy(world, "observations", `${at.stream} refused ${at.input.type}`)
    const id = idOf(at.stream)
    if (at.stream.startsWith("turn:") && done.snapshot.status === "done" && !done.ignored) over.push(id)
    const stale = config.faults.includes("staleTimer")
    log = {
      streams: { ...log.streams, [at.stream]: done.snapshot },
      outbox: [...log.outbox, ...done.effects.map(({ kind, params }) => ({ run: id, kind, params }))],
      timers: done.timers.reduce(
        (timers, timer) =>
          timer.do === "cancel" && stale
            ? timers
            : [
                ...timers.filter(row => row.run !== id || row.id !== timer.id),
                ...(timer.do === "schedule" ? [{ run: id, id: timer.id }] : []),
              ],
        log.timers,
      ),
    }
    for (const send of done.sends) queue.push({ stream: send.stream, input: { ...send.input } })
  }
  const timers = [...log.timers].sort((a, b) => (a.run + a.id < b.run + b.id ? -1 : 1))
  const next: World = { ...world, log: { ...log, timers } }
  return over.reduce((at, turn) => settled(at, turn), next)
}

function tryStep(config: Config, log: Log, stream: string, input: Input) {
  try {
    const definition = { ...definitions, run: config.run }[machineOf(stream)]
    return stepped(orThrow(definition), log.streams[stream] ?? null, input)
  } catch {
    return null
  }
}
