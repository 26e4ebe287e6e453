/** Processes that run the child host's program, loaded and waiting for their plan. */
import { type ChildProcess, spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { afterAll, beforeAll } from "vitest"
import { type Bundle, bundle } from "./bundle.ts"
import { compileCache } from "./common.ts"

/** A host takes time to load and nothing to wait: the next one is always loading already. */
let spare: ChildProcess | null = null
let programs: Bundle | null = null

export function takeChild(): ChildProcess {
  const taken = spare ?? load()
  spare = load()
  return taken
}
function load(): ChildProcess {
  if (programs === null) throw new Error("the child's program is not there yet")
  const env = { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: compileCache }
  return spawn(process.execPath, [programs.host], { stdio: ["ignore", "inherit", "pipe", "ipc"], env })
}
beforeAll(async () => {
  programs = await bundle()
})
afterAll(() => {
  spare?.kill("SIGKILL")
  spare = null
  programs?.remove()
  rmSync(compileCache, { recursive: true, force: true })
})
