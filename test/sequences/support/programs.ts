/**
 * Host processes, loaded and waiting: the host's program and the agent's are bundled into one file each, because
 * loading a hundred modules takes longer than a whole turn. One that was closed in order is used again.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Bundle, bundle } from "../../recovery/support/bundle.ts"

export class Programs {
  readonly compileCache: string
  readonly #bundle: Bundle
  /** Waiting for their first order, the one that waits longest first. */
  readonly #idle: ChildProcess[] = []

  private constructor(bundled: Bundle) {
    this.#bundle = bundled
    this.compileCache = join(bundled.folder, "compile-cache")
  }

  static async bundle(): Promise<Programs> {
    return new Programs(await bundle(fileURLToPath(new URL("../fixtures/host.ts", import.meta.url))))
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
    this.#bundle.remove()
  }

  #load(): ChildProcess {
    const env = { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: this.compileCache }
    return spawn(process.execPath, [this.#bundle.host], { stdio: ["pipe", "pipe", "pipe"], env })
  }
}
