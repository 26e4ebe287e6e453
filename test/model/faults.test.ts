/**
 * The model would notice: each planted fault breaks the invariant that it is named for, and the same way of things
 * going wrong breaks none without it.
 */
import { describe, expect, test } from "vitest"
import { type Config, faultNames, harmlessNames } from "./config.ts"
import { explore } from "./explore.ts"
import { faults, harmless, type Planted, tableFaults } from "./faults.ts"
import { runFolderModel } from "./model.ts"

const timeout = 240_000

/** Unfaulted, the same way of things going wrong breaks nothing; many faults share one. */
const sound = new Map<string, unknown>()
function violationWithout(healthy: Config): unknown {
  const key = JSON.stringify({ ...healthy, run: healthy.run.name })
  if (!sound.has(key)) sound.set(key, explore(runFolderModel(healthy)).violation)
  return sound.get(key)
}

function caught(name: string, planted: Planted, configuration: Config) {
  const { violation, states } = explore(runFolderModel(configuration), { only: planted.breaks })
  const { invariant, what, trace } = violation ?? { invariant: "none", what: "", trace: [] }
  console.log(`fault ${name}: ${invariant} after ${trace.length} steps, in ${states} states: ${what}`)
  expect(invariant).toBe(planted.breaks)
}

describe("a planted fault is caught by name", () => {
  test.each(faultNames)("%s", { timeout }, name => {
    const planted = faults[name]
    expect(violationWithout(planted.in)).toBeNull()
    caught(name, planted, { ...planted.in, faults: [name] })
  })
  // Unfaulted, these are among the explorations; one of them only among the large.
  test.each(Object.entries(tableFaults))("in the run's table: %s", { timeout }, (name, planted) => {
    caught(name, planted, planted.in)
  })
})

test.each(harmlessNames)("%s breaks nothing", { timeout }, name => {
  expect(explore(runFolderModel({ ...harmless[name], faults: [name] })).violation).toBeNull()
})
