/** Which scenario, and which turn of it. Choosing has no effect but one: `startsUpTo` counts this start. */
import { readFileSync } from "node:fs"
import { countStart } from "./config.ts"
import type { Scenario, Turn } from "./scenario.ts"
import { checkScenario, ScenarioError } from "./scenario-check.ts"
import { fallback, findScenario } from "./scenarios/index.ts"

/** A name of ours, or else the path of a JSON file. */
export const loadScenario = (named: string | undefined): Scenario => {
  if (named === undefined || named === "") return fallback
  const ours = findScenario(named)
  if (ours !== null) return ours
  try {
    return checkScenario(JSON.parse(readFileSync(named, "utf8")))
  } catch (error) {
    if (error instanceof ScenarioError) throw new ScenarioError(`${named}: ${error.message}`)
    if (error instanceof SyntaxError) throw new ScenarioError(`${named}: not JSON: ${error.message}`)
    throw new ScenarioError(`${named}: neither a built-in scenario nor a readable file`)
  }
}

export interface Circumstances {
  readonly resumed: boolean
  readonly model: string
  readonly startNumber: number
  readonly prompt?: string
  readonly turn?: number
}

export const numberStart = (scenario: Scenario, named: string | undefined, config: string): number => {
  const counts = [...(scenario.starts ?? []), ...scenario.turns].some(
    turn => turn.when?.startsUpTo !== undefined,
  )
  return counts ? countStart(config, named ?? "default") : 0
}

export const chooseTurn = (turns: readonly Turn[], now: Circumstances): Turn | null =>
  turns.find(turn => matches(turn, now)) ?? null

const matches = ({ when = {} }: Turn, now: Circumstances): boolean =>
  (when.promptIncludes === undefined || (now.prompt?.includes(when.promptIncludes) ?? false)) &&
  (when.resumed === undefined || when.resumed === now.resumed) &&
  (when.remembers === undefined || when.remembers === (now.turn ?? 1) > 1) &&
  (when.turn === undefined || when.turn === now.turn) &&
  (when.model === undefined || when.model === now.model) &&
  (when.startsUpTo === undefined || now.startNumber <= when.startsUpTo)
