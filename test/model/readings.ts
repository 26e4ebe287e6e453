/**
 * Everything that a host can read in a run folder, and what the real run machine makes of each reading. Readings
 * that the folder's own machine makes impossible are among them on purpose: a table answers them all.
 */
import {
  type Found,
  type FoundRow,
  failure,
  found,
  type Input,
  orThrow,
  type ProcessIdentity,
  replay,
  rowOf,
  run,
  type Snapshot,
  type Step,
  step,
} from "../../machines/index.ts"
import { conclusion } from "./spool.ts"
import { limits } from "./world.ts"

const launcher: ProcessIdentity = { pid: 100, start: "1", boot: "boot", namespace: "", host: "here" }
const { claim, process, exit: _exit, startFailure, ended } = found.shape
const either = [false, true]

export const readings: readonly Found[] = claim.options.flatMap(by =>
  process.options.flatMap(judged =>
    either.flatMap(agent =>
      [null, 0, 137].flatMap(exit =>
        [null, startFailure.unwrap().options[0] ?? null].flatMap(why =>
          [null, ...ended.unwrap().options].flatMap(reason =>
            either.map(sameBoot => ({
              claim: by,
              process: judged,
              agent,
              exit,
              startFailure: why,
              ended: reason,
              sameBoot,
              launcher: by === "launcher" ? launcher : null,
            })),
          ),
        ),
      ),
    ),
  ),
)

const about = { session: "s", turn: "t1", run: "t1.1", agent: "cursor", cwd: "/w", model: "auto", limits }
const requested = { type: "requested", ...about, prompt: "0".repeat(64), resume: null }
const alive: Found = {
  claim: "launcher",
  process: "alive",
  agent: false,
  exit: null,
  startFailure: null,
  ended: null,
  sameBoot: true,
  launcher,
}
/** The log of a run that is about to be started. */
export const history: readonly Input[] = [requested, { type: "prepared", boot: "boot" }]
const after = (...inputs: readonly Input[]): Snapshot => orThrow(replay(run, inputs).at(-1)).snapshot
export const spawning = after(...history)
export const active = after(...history, { type: "found", ...alive })

/** What became of the run: the effect it asks for, or its outcome once everything it started is dead. */
export interface Answer {
  readonly row: FoundRow
  readonly state: string
  readonly asks: readonly string[]
  readonly outcome: string | null
}

/** `terminal`: the spool, read at the run's end, holds a terminal line. */
export function answerTo(from: Snapshot, reading: Found, terminal: boolean): Answer {
  const seen = took(from, { type: "found", ...reading })
  const asks = [
    ...seen.effects.map(({ kind }) => kind),
    ...seen.timers.flatMap(timer => (timer.do === "schedule" && timer.id === "elsewhere" ? ["wait"] : [])),
  ]
  const end: Input = { type: "ended", cursor: 1, ...conclusion(terminal), emitted: true, left: [] }
  const last = seen.to === "closing" ? took(seen.snapshot, end) : seen
  return { row: rowOf(reading), state: seen.to, asks, outcome: outcomeIn(last) }
}

function took(snapshot: Snapshot, input: Input): Step {
  const result = step(run, snapshot, input)
  if (result.rejected) throw new Error(`${input.type}: ${result.code}`)
  return result
}

function outcomeIn({ sends }: Step): string | null {
  const closed = sends.map(({ input }) => input).find(({ type }) => type === "runClosed")
  if (closed === undefined || !("outcome" in closed)) return null
  const { outcome } = closed
  const told = failure.nullable().parse("failure" in closed ? closed.failure : null)
  return told === null ? String(outcome) : `${String(outcome)} ${told.code}`
}
