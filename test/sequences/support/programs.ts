/**
 * Host processes, loaded and waiting: the host's program and the agent's are bundled into one file each, because
 * loading a hundred modules takes longer than a whole turn. One that was closed in order is used again.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export class Programs {
  readonly compileCache: string
  readonly #folder: string
  /** Waiting for their first order, the one that waits longest first. */
  readonly #idle: ChildProcess[] = []

  private constructor(folder: string) {
    this.#folder = folder
    this.compileCache = join(folder, "compile-cache")
  }

  static async bundle(): Promise<Programs> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-sequences-programs-")))
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    // What is native cannot be bundled.
    symlinkSync(at("../../../node_modules"), join(folder, "node_modules"))
    const bundled = await rolldown({
      // The host looks for the agent beside itself, by this name.
      input: { host: at("../fixtures/host.ts"), agent: at("../../../adapters/rehearsal/agent.ts") },
      external: ["better-sqlite3"],
      platform: "node",
    })
    await bundled.write({ dir: folder, format: "esm", entryFileNames: "[name].js" })
    await bundled.close()
    return new Programs(folder)
  }

  /** A host process without a host; the next one is loading already. */
  take(): ChildProcess {
    const taken = this.#idle.shift() ?? this.#load()
    if (this.#idle.length === 0) this.#idle.push(this.#load())
    return taken
  }
  /** Closed in order, and never armed to die. */
  giveBack(child: ChildProcess): void {
    this.#idle.unshift(child)
  }

  remove(): void {
    for (const child of this.#idle.splice(0)) child.kill("SIGKILL")
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #load(): ChildProcess {
    const env = { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: this.compileCache }
    return spawn(process.execPath, [join(this.#folder, "host.js")], { stdio: ["pipe", "pipe", "pipe"], env })
  }
}
