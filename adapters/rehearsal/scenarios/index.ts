/**
 * Every built-in scenario by its name: the CLI's own failures by a word, field cases by their id in lower case,
 * with a suffix for a second shape of the same case. Also what is not here, and why.
 */
import type { Scenario } from "../scenario.ts"
import { accounts, limits, usage } from "./accounts.ts"
import { bytes } from "./bytes.ts"
import { chats } from "./chats.ts"
import { demo } from "./demo.ts"
import { failures } from "./failures.ts"
import { oddities } from "./oddities.ts"
import type { Scenarios } from "./parts.ts"
import { processes } from "./process.ts"
import { streaming } from "./streaming.ts"

const all: Scenarios = {
  demo,
  ...failures,
  ...streaming,
  ...bytes,
  ...processes,
  ...chats,
  ...usage,
  ...accounts,
  ...limits,
  ...oddities,
}

/** Played when HOLDFAST_REHEARSAL is not set. */
export const fallback: Scenario = demo

/** The names of all built-in scenarios: what `HOLDFAST_REHEARSAL` and `rehearsal({ scenario })` take. */
export const scenarioNames: readonly string[] = Object.keys(all)

/** A built-in scenario by its name; null when there is none. */
export const findScenario = (name: string): Scenario | null =>
  Object.hasOwn(all, name) ? (all[name] ?? null) : null

/** Field cases that no agent can play, because they happen before or beside it. */
export const hostOnlyCases = {
  "pl-13": "how the host finds and starts the program: no program is running yet",
  x10: "the program is replaced between the host's look and its start",
} as const satisfies Record<string, string>
