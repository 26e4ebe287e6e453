/**
 * The agents that the command knows, by name. A verb that owns registers only the one it needs, so that its host
 * takes over no session of another; a verb that only reads has all of them, to understand what they printed.
 */
import type { AgentAdapter } from "../../effects/agent.ts"
import { codex, cursor, rehearsal } from "../agents/index.ts"
import { AgentNotReady, Refusal } from "../library/errors.ts"
import { CliError } from "./problem.ts"

export const agentNames = ["cursor", "codex", "rehearsal"] as const
export type AgentName = (typeof agentNames)[number]

export function agentNamed(name: string, binary: string | undefined): AgentAdapter {
  const chosen = binary === undefined ? {} : { binary }
  if (name === "cursor") return cursor(chosen)
  if (name === "codex") return codex(chosen)
  if (name !== "rehearsal") throw new Refusal("AGENT_UNKNOWN", name)
  if (binary !== undefined) throw new CliError("USAGE_BIN", name)
  return rehearsal()
}

export const allAgents = (): ReadonlyMap<string, AgentAdapter> =>
  new Map(agentNames.map(name => [name, agentNamed(name, undefined)]))

/** Asked before a session is launched, so that a missing key or program leaves no empty session behind. */
export async function checkReady(adapter: AgentAdapter): Promise<void> {
  const noKey = adapter.checkKey(process.env)
  if (noKey !== null) throw new AgentNotReady(noKey)
  const located = await adapter.locate(process.env)
  if ("code" in located) throw new AgentNotReady(located)
}
