/**
 * The tests, in three groups. `quick` is what `npm test` runs: the product as its users meet it, in under three
 * minutes on two cores. `deep` takes longer: real kills, exhaustive models, every verb. `peers` needs the real
 * programs of others, and comes with its own script.
 */
import { join } from "node:path"
import { defineConfig } from "vitest/config"

const all = "test/**/*.test.ts"
const peers = ["test/peers/**/*.test.ts"]
const deep = [
  "test/{recovery,model,rehearsal,run-folder,sequences,examples,logs,effect,docs}/**/*.test.ts",
  "test/cli/{verbs,snapshots}/**/*.test.ts",
  "test/cli/{demo,input,interrupt,json,outcomes,person,state-folder}.test.ts",
  "test/machines/{graph,together}.test.ts",
  "test/agents/cursor/rehearsal.test.ts",
  "test/diagrams/cli.test.ts",
]

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    // Hundreds of real agents and hosts are started; each would compile the same sources again.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules", ".cache", "compile") },
    projects: [
      { extends: true, test: { name: "quick", include: [all], exclude: [...deep, ...peers] } },
      { extends: true, test: { name: "deep", include: deep } },
      { extends: true, test: { name: "peers", include: peers } },
    ],
  },
})
