/**
 * An empty project of somebody who installs the package: Node 24 first on the PATH, an empty home. Whatever is run in
 * it must end as expected; else it throws with all that was said.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { CleanPlace } from "../newcomer/clean.ts"

export interface Expected {
  /** Default: 0. */
  readonly exit?: number
  /** In stdout. */
  readonly prints?: RegExp
  /** In stderr. */
  readonly complains?: RegExp
  /** On the machine's own Node instead. */
  readonly onOldNode?: true
}

export class Project {
  readonly folder: string
  readonly #place: CleanPlace
  readonly #node: string

  /** `node` is the folder of the Node to run. */
  constructor(place: CleanPlace, node: string) {
    this.#place = place
    this.#node = node
    this.folder = place.at("project")
    this.write("package.json", JSON.stringify({ name: "project", private: true, type: "module" }))
  }

  at(path: string): string {
    return join(this.folder, path)
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true })
    writeFileSync(this.at(path), text)
  }

  /** Its stdout, trimmed. */
  run(command: readonly [string, ...string[]], expected: Expected = {}): string {
    const [program, ...args] = command
    const env = expected.onOldNode ? this.#place.env() : this.#place.env(this.#node)
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      cwd: this.folder,
      env,
      encoding: "utf8",
    })
    if (error !== undefined) throw error
    const { exit = 0, prints = /^/, complains = /^/ } = expected
    if (status !== exit || !prints.test(stdout) || !complains.test(stderr))
      throw new Error(
        `${command.join(" ")}: ended with ${status}, expected ${exit}, ${prints} and ${complains}:\n${stdout}${stderr}`,
      )
    console.log(`ok  ${command.join(" ")}${expected.onOldNode ? `  (refused by ${this.#oldNode()})` : ""}`)
    return stdout.trim()
  }

  /** Null when the machine's own Node is new enough, or when there is none. */
  get oldNode(): string | null {
    const version = this.#oldNode()
    return Number(/^v(\d+)\./.exec(version)?.[1] ?? Number.NaN) < 24 ? version : null
  }

  #oldNode(): string {
    const { stdout } = spawnSync("node", ["--version"], { env: this.#place.env(), encoding: "utf8" })
    return (stdout ?? "").trim()
  }
}
