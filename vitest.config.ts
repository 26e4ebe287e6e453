import { join } from "node:path"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    // What each file needs for itself it makes; loading the library anew for each would take longer than most tests.
    isolate: false,
    // Hundreds of real agents and hosts are started; each would compile the same sources again.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules", ".cache", "compile") },
  },
})
