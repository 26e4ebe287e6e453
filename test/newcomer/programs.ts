/**
 * The page's programs as their reader has them: files of their own that import the package by its name, compiled,
 * then run word for word. A double of `cursor-agent` is on the PATH, so nothing in them is replaced.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { CleanPlace } from "./clean.ts"

export class Programs {
  readonly #place: CleanPlace
  readonly #clone: string
  readonly #folder: string
  readonly #bin: string

  /** The clone's dependencies must be installed. */
  constructor(place: CleanPlace, clone: string) {
    this.#place = place
    this.#clone = clone
    // Inside the clone, where its own name is that of the package.
    this.#folder = join(clone, "programs")
    this.#bin = place.at("bin")
    mkdirSync(this.#folder, { recursive: true })
    mkdirSync(this.#bin, { recursive: true })
    const agent = join(clone, "adapters", "rehearsal", "agent.ts")
    writeFileSync(join(this.#bin, "cursor-agent"), `#!/bin/sh\nexec node '${agent}' "$@"\n`, { mode: 0o755 })
    const config = { extends: "../tsconfig.json", include: ["*.ts"] }
    writeFileSync(join(this.#folder, "tsconfig.json"), JSON.stringify(config))
  }

  /** Throws what the compiler says; then runs it in an empty folder, and tells what it printed. */
  run(name: string, source: string): { readonly exit: number | null; readonly all: string } {
    const file = join(this.#folder, `${name}.ts`)
    writeFileSync(file, source)
    const bin = join(this.#clone, "node_modules", ".bin")
    const options = {
      cwd: mkdtempSync(this.#place.at("worktree-")),
      env: { ...this.#place.env(bin, this.#bin), CURSOR_API_KEY: "no-key-at-all" },
      encoding: "utf8",
    } as const
    const compiled = spawnSync("tsc", ["-p", this.#folder], options)
    if (compiled.status !== 0) throw new Error(`it does not compile:\n${compiled.stdout}${compiled.stderr}`)
    const { status, stdout, stderr } = spawnSync("node", ["--conditions=holdfast-source", file], options)
    return { exit: status, all: (stdout + stderr).trim() }
  }
}
