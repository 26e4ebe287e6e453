/** What the demo claims, each with the fact it was found in. A claim that nobody checked is not in here. */
import { isDeepStrictEqual } from "node:util"

export interface Check {
  readonly name: string
  /** The claim as a sentence. */
  readonly claim: string
  readonly ok: boolean
  /** What was found, where that says more than the claim. */
  readonly found?: unknown
}

export class Checks {
  readonly #done: Check[] = []
  readonly #tell: (check: Check) => void

  constructor(tell: (check: Check) => void) {
    this.#tell = tell
  }

  holds(name: string, claim: string, ok: boolean, found?: unknown): boolean {
    const check = { name, claim, ok, ...(!ok && found !== undefined && { found }) }
    this.#done.push(check)
    this.#tell(check)
    return ok
  }

  equal(name: string, claim: string, found: unknown, expected: unknown): boolean {
    return this.holds(name, claim, isDeepStrictEqual(found, expected), { found, expected })
  }

  passed(name: string): boolean {
    return this.#done.some(check => check.name === name && check.ok)
  }

  failed(): readonly string[] {
    return this.#done.filter(check => !check.ok).map(check => check.name)
  }
}
