/**
 * A translator that cannot throw. The port says that it never does; adapters are other people's code, and one that
 * does anyway must cost its line, and not a run or a reader that would wait for ever.
 */
import type { AgentEvent, Conclusion, Translator } from "./agent.ts"

export function guarded(translator: Translator): Translator {
  return {
    initial: start => translator.initial(start),
    line: (state, line) => attempt(() => translator.line(state, line), { state, events: [unreadable] }),
    ended: state => attempt(() => translator.ended(state), false),
    conclude: (state, ending) => attempt(() => translator.conclude(state, ending), unjudged),
  }
}

function attempt<A>(act: () => A, otherwise: A): A {
  try {
    return act()
  } catch {
    return otherwise
  }
}
const unreadable: AgentEvent = { type: "notice", code: "unknownLines", count: 1 }
const unjudged: Conclusion = {
  verdict: {
    outcome: "failed",
    failure: { kind: "host", code: "ADAPTER_DEFECT", retryable: false },
    degraded: null,
    emptyReply: true,
    conversation: "reusable",
    usage: null,
    conversationUsage: null,
    deniedTools: 0,
    unknownLines: 0,
  },
  text: "",
  explanation: null,
  notices: [],
}
