/**
 * A host as a program of its own, since what it writes to stderr is what is looked at. Told what to do by its one
 * argument, as JSON; says on stdout, as JSON lines, what its caller would know.
 */
import { rehearsal } from "../../adapters/agents/index.ts"
import { type AgentAdapter, type HoldfastFailure, openHost } from "../../adapters/library/index.ts"
import type { Orders } from "./support.ts"

const orders = JSON.parse(process.argv[2] ?? "{}") as Orders // written by `support.ts`
const say = (words: object) => process.stdout.write(`${JSON.stringify(words)}\n`)

/** An adapter with a key, which fails where it is told to, with everything in its words that no line may have. */
function faulty(agent: AgentAdapter): AgentAdapter {
  const { faults = [] } = orders
  let asked = 0
  let said = false
  const fail = () => {
    said = true
    throw new Error(`${orders.prose ?? ""} ${process.env.TEST_AGENT_KEY}\n    at ${orders.prose ?? ""}`)
  }
  return {
    ...agent,
    secretVariables: ["TEST_AGENT_KEY"],
    seedConfig: faults.includes("seedConfig") ? fail : (...given) => agent.seedConfig(...given),
    // The first who asks is the caller that sends, the next one the effect.
    checkKey: env => {
      asked += 1
      if (!faults.includes("keyGoesAway") || asked === 1) return agent.checkKey(env)
      return { kind: "auth", code: "AUTH_REQUIRED", retryable: false, explanation: orders.prose ?? "" }
    },
    // Read when the run is ended, outside of everything that takes care of adapters.
    get isSharedDaemon() {
      return faults.includes("endOnce") && !said ? fail() : () => false
    },
  }
}

const agent = rehearsal({ scenario: orders.scenario, journal: orders.journal, pace: 0 })
const host = await openHost({ agents: [faulty(agent)], home: orders.home, limits: orders.limits ?? {} })
const session = orders.sessionExists
  ? host.session("story")
  : await host.launch({ cwd: orders.cwd, id: "story" })
for (const prompt of orders.prompts) {
  try {
    const turn = session.send(prompt, { id: prompt.replaceAll(" ", "-") })
    await turn.accepted
    say({ accepted: turn.id })
    if (orders.thenWait) continue
    say({ settled: turn.id, outcome: (await turn.result).outcome })
  } catch (error) {
    say({ refused: (error as HoldfastFailure).code })
  }
}
if (orders.thenWait) setInterval(() => {}, 60_000)
else await host.close()
