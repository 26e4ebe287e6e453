/**
 * The durable log in short: one commit steps a stream and all that it sends, and changes outbox and timers with
 * it. What an input means is asked of the real machines. Nothing here reads a folder or a process.
 */
import { z } from "zod"
import { closeReason, type Input, orThrow, type Snapshot } from "../../machines/index.ts"
import type { Config } from "./config.ts"
import { settled } from "./properties.ts"
import { stepped } from "./stepped.ts"
import { breakBy, type Log, type Row, type World } from "./world.ts"

/** The parts of a run's context that hosts and properties look at. */
const runContext = z.object({
  boot: z.string().nullable(),
  cursor: z.int(),
  reason: closeReason.nullable(),
  conclusion: z.object({ terminal: z.boolean() }).nullable(),
})
const contexts = new WeakMap<Snapshot, z.infer<typeof runContext>>()
export function runContextOf(world: World, run: string): z.infer<typeof runContext> {
  const snapshot = orThrow(world.log.streams[`run:${run}`])
  const known = contexts.get(snapshot) ?? runContext.parse(snapshot.context)
  contexts.set(snapshot, known)
  return known
}

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
    const done = tryStep(log, at.stream, at.input)
    if (done === null) return breakBy(world, "observations", `${at.stream} threw at ${at.input.type}`)
    if (done.rejected && at === queue[0]) return null
    if (done.rejected) return breakBy(world, "observations", `${at.stream} refused ${at.input.type}`)
    const id = at.stream.slice(at.stream.indexOf(":") + 1)
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

function tryStep(log: Log, stream: string, input: Input) {
  try {
    return stepped(stream.slice(0, stream.indexOf(":")), log.streams[stream] ?? null, input)
  } catch {
    return null
  }
}
