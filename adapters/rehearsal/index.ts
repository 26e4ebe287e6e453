/**
 * The rehearsal agent, for programs that want to start it: where it is, what it can play, and how to read what it
 * did. Nothing here runs it; a host starts it as it would start the real one.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { JournalEntry } from "./journal.ts"
import type { Scenario } from "./scenario.ts"
import { checkScenario } from "./scenario-check.ts"

export type { JournalEntry, JournalFact, JournalStamp } from "./journal.ts"
export type * from "./scenario.ts"
export { checkScenario, ScenarioError } from "./scenario-check.ts"
export { findScenario, hostOnlyCases, scenarioNames } from "./scenarios/index.ts"

const here = fileURLToPath(import.meta.url)

/** Absolute path of the program: to be run by node, with Cursor's flags. */
export const rehearsalProgram = join(here, "..", `agent${extname(here)}`)

let written = 0

/** Writes a scenario where HOLDFAST_REHEARSAL can point to. Throws `ScenarioError` if the agent would refuse it. */
export const writeScenario = (dir: string, scenario: Scenario): string => {
  const path = join(dir, `scenario-${process.pid}-${++written}.json`)
  writeFileSync(path, JSON.stringify(checkScenario(scenario)))
  return path
}

/** Everything that agents noted in this file, in the order of their writes. No file is an empty journal. */
export const readJournal = (path: string): readonly JournalEntry[] => {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    throw error
  }
  // Our own program wrote it, a whole line at a time.
  return text
    .split("\n")
    .slice(0, -1)
    .map(line => JSON.parse(line) as JournalEntry)
}
