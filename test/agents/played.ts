/** A run of a translator over lines. Every state is frozen to its depths on the way, so one that changes a state fails. */
import type { AgentEvent, Conclusion, Ending, RunStart, SpoolLine, Translator } from "../../effects/agent.ts"
import { deepFreeze } from "./freeze.ts"

export interface Played<S> {
  readonly events: readonly AgentEvent[]
  readonly state: S
  readonly ended: boolean
  readonly conclusion: Conclusion
}

export function playedBy<S>(
  translator: Translator<S>,
  start: RunStart,
  lines: readonly (string | SpoolLine)[],
  ending: Ending,
): Played<S> {
  let state = deepFreeze(translator.initial(start))
  const events: AgentEvent[] = []
  let offset = 0
  for (const given of lines) {
    const spooled: SpoolLine =
      typeof given === "string"
        ? { kind: "line", text: given, offset, next: offset + given.length + 1 }
        : given
    const step = translator.line(state, spooled)
    state = deepFreeze(step.state)
    events.push(...step.events)
    offset = spooled.next
  }
  return { events, state, ended: translator.ended(state), conclusion: translator.conclude(state, ending) }
}
