/** I8: a prompt reaches an agent at most once per run, a further run has a reason, and what was cancelled reaches none. */
import { turnIdOf } from "../../../machines/words.ts"
import type { Evidence } from "../support/evidence.ts"
import { ends, isOf, type Life, livesOf, runEvents, sendingsOf, turnsOf } from "./facts.ts"

export function deliveredOnce(evidence: Evidence): readonly string[] {
  const lives = livesOf(evidence)
  const runs = Map.groupBy(lives, life => life.run)
  return [
    ...[...runs].flatMap(([run, own]) => ofRun(evidence, run, own)),
    ...[...turnsOf(evidence)].flatMap(([turn, events]) => {
      const unstarted = events.some(event => ends(event) && event.from === "queued")
      const reached = lives.some(life => life.turn === turn)
      return unstarted && reached ? [`${turn} was cancelled before its start, and reached an agent`] : []
    }),
  ]
}

function ofRun(evidence: Evidence, run: string, lives: readonly Life[]): readonly string[] {
  const log = runEvents(evidence, run)
  const prompts = lives.flatMap(life => life.notes.filter(note => note.event === "prompt"))
  const expected = sendingsOf(evidence, turnIdOf(run)).map(one => one.prompt)
  const withdrawn = log.some(event => event.type === "tombstoned" && !event.ignored)
  return [
    ...(log.length === 0 ? [`an agent was started for ${run || "no run"}, which the log does not know`] : []),
    ...(lives.length > 1 ? [`${run} was started ${lives.length} times`] : []),
    ...(prompts.length > 1 ? [`${run} was given its prompt ${prompts.length} times`] : []),
    ...(prompts.every(note => expected.some(prompt => isOf(prompt, note.sha256)))
      ? []
      : [`${run} was given a prompt that is not its own`]),
    ...(withdrawn ? [`${run} was withdrawn, and reached an agent`] : []),
    ...(isFirst(run) || hasReason(evidence, run) ? [] : [`nothing in the log says why there is ${run}`]),
  ]
}

const isFirst = (run: string) => run.endsWith(".1")

/** The run before it failed in a way that left nothing done. */
function hasReason(evidence: Evidence, run: string): boolean {
  const turn = turnIdOf(run)
  const before = `${turn}.${Number(run.slice(turn.length + 1)) - 1}`
  const closed = turnsOf(evidence)
    .get(turn)
    ?.find(event => event.type === "runClosed" && event.data.run === before)
  const { failure, emitted } = (closed?.data ?? {}) as Closed // its machine's schema has been checked by `verify`
  return ["transient", "resumeLost"].includes(failure?.kind ?? "") && emitted === false
}
interface Closed {
  readonly failure?: { readonly kind: string } | null
  readonly emitted?: boolean
}
