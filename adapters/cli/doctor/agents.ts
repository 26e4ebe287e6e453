/** Whether the agents are installed and ready. What nobody here uses may be missing; what is used may not. */
import type { AgentAdapter, AgentStatus, Environment, Obstacle } from "../../../effects/agent.ts"
import { broken, type Finding, fine, warning } from "./finding.ts"

export interface AgentQuestion {
  readonly agents: readonly AgentAdapter[]
  /** Whether an agent has to be ready, by its name. */
  readonly isNeeded: (agent: string) => boolean
  readonly env: Environment
}

export async function agentFindings({ agents, isNeeded, env }: AgentQuestion): Promise<readonly Finding[]> {
  const found = await Promise.all(
    agents.map(async agent => finding(agent.name, await statusOf(agent, env), isNeeded(agent.name))),
  )
  const works = agents.some(
    ({ name }, index) => found[index]?.level === "fine" && (name !== "rehearsal" || isNeeded(name)),
  )
  if (works || found.some(({ level }) => level === "broken")) return found
  // The rehearsal agent is always ready, and does no work.
  return [
    ...found,
    broken("AGENT_NONE_READY", "No agent is ready. Set up one of the above; rehearsal only plays."),
  ]
}

async function statusOf(agent: AgentAdapter, env: Environment): Promise<AgentStatus | Error> {
  try {
    return await agent.status(env)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function finding(name: string, status: AgentStatus | Error, needed: boolean): Finding {
  const notFine = needed ? broken : warning
  // Not its message, which might quote what a program printed.
  if (status instanceof Error)
    return notFine(
      "AGENT_NOT_ASKED",
      `${name} could not be asked (${status.name}). Run it by hand to see why.`,
    )
  const inTheWay = ({ code, explanation }: Obstacle) => notFine(code, `${name}: ${explanation}`)
  if (!status.installed) return inTheWay(status.obstacle)
  return status.obstacle === null
    ? fine("AGENT_READY", `${name} ${status.version} is ready: ${status.binary}.`)
    : inTheWay(status.obstacle)
}
