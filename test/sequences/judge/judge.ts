/** The judge: which promise the evidence of a sequence breaks, and where. Pure; it never looks at the world. */
import { idOf, turnIdOf } from "../../../machines/words.ts"
import type { Evidence } from "../support/evidence.ts"
import { nothingLost } from "./answers.ts"
import { deliveredOnce } from "./deliveries.ts"
import { oneAtATime } from "./order.ts"
import { seamless } from "./readers.ts"
import { oneEnd, oneRequest } from "./turns.ts"

const properties = {
  I1: ({ problems }: Evidence) => problems,
  I3: oneEnd,
  I4: ({ remains }: Evidence) =>
    remains.map(({ session, file }) => `${session} was erased, and a text of it is in ${file}`),
  I5: oneRequest,
  I7: seamless,
  I8: deliveredOnce,
  I9: nobodyLeft,
  I10: nothingLost,
  I12: oneAtATime,
  /** Whoever is refused something is told a code and the next step. */
  errors: ({ defects }: Evidence) => defects,
} as const
export type Promised = keyof typeof properties
export const promises = Object.keys(properties) as readonly Promised[] // its keys, which the compiler forgets

export interface Violation {
  readonly breaks: Promised
  readonly says: string
}

export function judge(evidence: Evidence): readonly Violation[] {
  return promises.flatMap(breaks => properties[breaks](evidence).map(says => ({ breaks, says })))
}

/**
 * What a turn's end names as left is told, not hidden. A launcher whose run was withdrawn starts nothing any more,
 * and may take a moment to find that out.
 */
function nobodyLeft({ log, ended, lingering, alive }: Evidence): readonly string[] {
  const named = new Set(ended.flatMap(turn => turn.left))
  const withdrawn = new Set(
    log.filter(event => event.type === "tombstoned").map(event => turnIdOf(idOf(event.stream))),
  )
  return [
    ...lingering
      .filter(({ turn }) => !withdrawn.has(turn))
      .flatMap(({ turn, pids }) => pids.map(pid => ({ pid, says: `${turn} was over` }))),
    ...alive
      .filter(({ run }) => !withdrawn.has(turnIdOf(run)))
      .map(({ pid }) => ({ pid, says: "the last host was closed" })),
  ]
    .filter(({ pid }) => !named.has(pid))
    .map(({ pid, says }) => `${says}, and process ${pid} was alive`)
}
