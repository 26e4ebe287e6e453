/**
 * The run folder's protocol, explored: every order of host A, host B, launcher, agent and user, with a crash
 * between any two steps. Hosts decide with the real session, turn and run machines.
 */
import { describe, expect, test } from "vitest"
import { explorations, largeExplorations } from "./explorations.ts"
import { explore } from "./explore.ts"
import { runFolderModel } from "./model.ts"

const full = process.env.HOLDFAST_MODEL === "full"

describe("I3 I8 I9 I10 I11 I12 I22 I35 hold in every state, and from each every turn can still end", () => {
  test.each(Object.entries(full ? { ...explorations, ...largeExplorations } : explorations))(
    "%s",
    { timeout: full ? 3_600_000 : 240_000 },
    (name, configuration) => {
      const { states, transitions, depth, violation } = explore(runFolderModel(configuration))
      console.log(`model: ${name}: ${states} states, ${transitions} transitions, depth ${depth}`)
      expect(violation).toBeNull()
    },
  )
})
