/** The page's placeholders, each with the real value that the commands before it have made. Asked once, then kept. */
import { placeholders } from "./known.ts"
import { placeholdersIn } from "./plan.ts"
import type { Shell } from "./shell.ts"

export class Values {
  readonly #shell: Shell
  readonly #known = new Map<string, string>()

  constructor(shell: Shell) {
    this.#shell = shell
  }

  /** Throws when there is no value yet. */
  async fill(text: string): Promise<string> {
    let filled = text
    for (const name of placeholdersIn(text)) filled = filled.replace(name, await this.#valueOf(name))
    return filled
  }

  async #valueOf(name: string): Promise<string> {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const row = placeholders[name]
    if (row === undefined) throw new Error(`what is ${name}?`)
    const { stdout } = await this.#shell.run(await this.fill(row.from))
    const lines = stdout.trim().split("\n")
    const value = row.pick(lines.map(line => JSON.parse(line) as Record<string, unknown>))
    if (typeof value !== "string") throw new Error(`${row.from} does not tell ${name}:\n${stdout}`)
    this.#known.set(name, value)
    return value
  }
}
