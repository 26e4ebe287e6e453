/** A host in a child process, as the test holds it: orders, what it read, and its death. */
import type { ChildProcess } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import type { Followed } from "../../../effects/follow/events.ts"
import {
  type Disguise,
  type Order,
  type Plan,
  type Point,
  type Prompt,
  type Report,
  report,
} from "../fixtures/plan.ts"
import { type Ground, limits, mark } from "./common.ts"
import { takeChild } from "./program.ts"
import { until } from "./until.ts"

export type Seen = Followed & { readonly at: string }

export interface ChildOptions {
  readonly session?: string
  /** Launch the session; default: it is there. */
  readonly launch?: boolean
  readonly limits?: Partial<Record<keyof typeof limits, number>>
  readonly prompts?: readonly Prompt[]
  /** Read the session behind this cursor; default: from its beginning. */
  readonly after?: string | null
  readonly keyless?: boolean
  /** From which level its effects' own words go to stderr. */
  readonly log?: "warn"
  readonly disguise?: Disguise
  readonly points?: readonly Point[]
}

export class ChildHost {
  readonly pid: number
  /** How it died: the signal, or its exit code. */
  readonly gone: Promise<NodeJS.Signals | number | null>
  readonly #child: ChildProcess
  readonly #readTo: string
  readonly #reports: Report[] = []
  #stderr = ""
  #over = false

  constructor(world: Ground, scenario: string | null, options: ChildOptions) {
    this.#readTo = world.file("read")
    const launch = options.launch ?? false
    const plan: Plan = {
      home: world.home,
      journal: world.journal,
      scenario,
      env: { ...world.env, ...(options.log !== undefined && { HOLDFAST_LOG: options.log }) },
      passed: [mark, "NODE_COMPILE_CACHE"],
      keyless: options.keyless ?? false,
      session: options.session ?? "s",
      launch: launch ? { cwd: world.cwd, limits: { ...limits, ...options.limits } } : null,
      prompts: [...(options.prompts ?? [])],
      readTo: this.#readTo,
      after: options.after ?? null,
      disguise: options.disguise ?? {},
      points: [...(options.points ?? [])],
    }
    this.#child = takeChild()
    this.#child.send(plan)
    this.pid = this.#child.pid ?? Number.NaN
    this.#child.stderr?.on("data", (part: Buffer) => {
      this.#stderr += part.toString()
    })
    this.#child.on("message", message => this.#reports.push(report.parse(message)))
    this.gone = new Promise(resolve => {
      this.#child.once("exit", (code, signal) => {
        this.#over = true
        resolve(signal ?? code)
      })
    })
  }

  get stderr(): string {
    return this.#stderr
  }

  /** It has opened its host, and so adopted what there was. */
  async ready(): Promise<void> {
    await this.#report("ready", 1)
  }
  /** Its prompts are durable. */
  async sent(): Promise<readonly string[]> {
    return (await this.#report("sent", 1)).turns
  }
  /** An order whose answer nobody waits for. */
  order(order: Order): void {
    this.#child.send(order)
  }
  /** The answer to an order: the code of the refusal, or null. */
  async obey(order: Order): Promise<Report> {
    const before = this.#reports.filter(each => each.type === order.type).length
    this.#child.send(order)
    return this.#report(order.type, before + 1)
  }

  /** What it gave its reader so far. */
  read(): readonly Seen[] {
    if (!existsSync(this.#readTo)) return []
    const lines = readFileSync(this.#readTo, "utf8").split("\n").slice(0, -1)
    return lines.map(line => JSON.parse(line) as Seen) // our own fixture wrote it
  }
  async hasRead(what: string, is: (event: Seen) => boolean): Promise<void> {
    await until(`its reader gets ${what}`, () => this.read().some(is))
  }

  /** SIGKILL, and its death. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL")
    await this.gone
  }
  /** Its own death, at one of its points. */
  async died(): Promise<void> {
    const how = await this.gone
    if (how !== "SIGKILL") throw new Error(`the host ended by ${how}: ${this.#stderr}`)
  }
  stop(): void {
    this.#child.kill("SIGSTOP")
  }
  goOn(): void {
    this.#child.kill("SIGCONT")
  }
  /** It has been stopped, by us or at one of its points. */
  async stopped(): Promise<void> {
    await until("the host is stopped", () => {
      if (this.#over) throw new Error(`the host ended: ${this.#stderr}`)
      return / T /.test(readFileSync(`/proc/${this.pid}/stat`, "latin1").replace(/^.*\)/s, ""))
    })
  }

  async end(): Promise<void> {
    this.#child.kill("SIGKILL")
    if (!Number.isNaN(this.pid)) await this.gone
  }

  #report(type: Report["type"], nth: number): Promise<Report> {
    return until(`the host says "${type}"`, () => {
      const found = this.#reports.filter(each => each.type === type)[nth - 1]
      if (found === undefined && this.#over) throw new Error(`the host ended: ${this.#stderr}`)
      return found
    })
  }
}
