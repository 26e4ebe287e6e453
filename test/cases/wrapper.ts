/** Programs that stand where `cursor-agent` would: shell scripts that start the rehearsal agent in their place. */
import { writeFileSync } from "node:fs"
import { cursor } from "../../adapters/agents/index.ts"
import type { Host } from "../../adapters/library/index.ts"
import { rehearsalProgram, type Scenario, writeScenario } from "../../adapters/rehearsal/index.ts"
import type { Place, PlaceOptions } from "./harness.ts"

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

/** Writes the program and gives its path. */
export function wrapper(place: Place, name: string, scenario: Scenario | string): string {
  const named = typeof scenario === "object" ? writeScenario(place.root, scenario) : scenario
  const variables = {
    HOLDFAST_REHEARSAL: named,
    HOLDFAST_REHEARSAL_JOURNAL: place.journalPath,
    HOLDFAST_REHEARSAL_PACE: "0",
  }
  const exports = Object.entries(variables).map(([key, value]) => `export ${key}=${quoted(value)}\n`)
  const start = `exec ${quoted(process.execPath)} ${quoted(rehearsalProgram)} "$@"\n`
  return script(place, name, `${exports.join("")}${start}`)
}

export function script(place: Place, name: string, text: string, mode = 0o700): string {
  const path = place.at(name)
  writeFileSync(path, `#!/bin/sh\n${text}`, { mode })
  return path
}

/** A host of the real Cursor adapter, which finds `binary` where an operator would have named it. */
export function cursorHost(
  place: Place,
  binary: string,
  env: Readonly<Record<string, string>> = { CURSOR_API_KEY: "key_for_a_rehearsal" },
  options: PlaceOptions = {},
): Promise<Host> {
  return place.open({
    agents: [cursor({ passEnvironment: Object.keys(place.env) })],
    env: { ...place.env, HOLDFAST_CURSOR_BIN: binary, ...env },
    ...options,
  })
}
