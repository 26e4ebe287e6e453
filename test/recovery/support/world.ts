/**
 * A place for one test: state folder, workspace, journal, and a mark that everything started here carries. When
 * the test is over the place ends what is left, by pid, and answers for the promises that hold after every crash.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, vi } from "vitest"
import { rehearsal } from "../../../adapters/agents/index.ts"
import { type Host, type OpenHostOptions, openHost } from "../../../adapters/library/index.ts"
import { type Scenario, writeScenario } from "../../../adapters/rehearsal/index.ts"
import { ChildHost, type ChildOptions } from "./child.ts"
import { compileCache, type Ground, limits, mark, prompt } from "./common.ts"
import { Evidence } from "./evidence.ts"
import { until } from "./until.ts"

// Only a bound: a busy machine takes its time to start a process.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

export class World implements Ground {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-recovery-")))
  readonly cwd = join(this.root, "workspace")
  readonly home = join(this.root, "state")
  readonly journal = join(this.root, "journal")
  readonly evidence = new Evidence(this)
  readonly #hosts: Host[] = []
  readonly #children: ChildHost[] = []
  /** What all agents of this place play. */
  #scenario: string | null = null
  #files = 0

  constructor() {
    mkdirSync(this.cwd)
  }

  /** The environment of a host: nothing of the person who runs the tests but the PATH. */
  get env(): Readonly<Record<string, string>> {
    return {
      PATH: process.env.PATH ?? "",
      HOME: this.root,
      NODE_COMPILE_CACHE: compileCache,
      HOLDFAST_LOG: process.env.HOLDFAST_LOG ?? "error",
      [mark]: this.root,
    }
  }

  /** The first host, in a process of its own: it launches the session and sends one prompt. */
  first(scenario: Scenario, options: ChildOptions = {}): ChildHost {
    this.#scenario = writeScenario(this.root, scenario)
    return this.#child(this.#scenario, { launch: true, prompts: [prompt], ...options })
  }
  /** Another one, in a process of its own. */
  next(options: ChildOptions = {}): ChildHost {
    return this.#child(this.#scenario, options)
  }
  #child(scenario: string | null, options: ChildOptions): ChildHost {
    const child = new ChildHost(this, scenario, options)
    this.#children.push(child)
    return child
  }

  /** A host in the test's own process. */
  async open(options: Partial<OpenHostOptions> = {}): Promise<Host> {
    const agents = [this.agent()]
    const host = await openHost({ agents, home: this.home, env: this.env, pollMs: 20, limits, ...options })
    this.#hosts.push(host)
    return host
  }

  agent() {
    const passEnvironment = [mark, "NODE_COMPILE_CACHE"]
    const scenario = this.#scenario === null ? {} : { scenario: this.#scenario }
    return rehearsal({ journal: this.journal, passEnvironment, ...scenario })
  }

  file(name: string): string {
    this.#files += 1
    return join(this.root, `${name}-${this.#files}`)
  }

  /** The agent has come to this gate. */
  async reached(gate: string): Promise<void> {
    await until(`the agent reaches ${gate}`, () => existsSync(join(this.cwd, `at-${gate}`)))
  }
  /** It may go on. */
  pass(gate: string): void {
    writeFileSync(join(this.cwd, `go-${gate}`), "")
  }

  /** Live processes of the runs of this place: launchers, agents, and what they started. No host is among them. */
  alive(): readonly number[] {
    const wanted = `\0${mark}=${this.root}\0`
    const pids = readdirSync("/proc").filter(name => /^\d+$/.test(name))
    return pids.map(Number).filter(pid => {
      try {
        return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(wanted)
      } catch {
        return false // it is gone, a zombie, or not ours
      }
    })
  }
  /** SIGKILL to all of them at once, as the end of a container or of the power does it. */
  async endRuns(): Promise<void> {
    for (let left = this.alive(); left.length > 0; left = this.alive()) {
      for (const pid of left) endProcess(pid)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  async untilDead(): Promise<void> {
    await until("nothing of the runs is left", () => this.alive().length === 0)
  }

  /** For whoever has to find out why a test failed. */
  story(): string {
    const hosts = this.#children.map(child => `host ${child.pid}: ${child.stderr}`)
    return [...hosts, this.evidence.story()].join("\n")
  }

  /** What holds after every test, whatever it was about. */
  async answer(): Promise<void> {
    for (const host of this.#hosts) await host.close()
    await this.untilDead()
    this.evidence.answer()
  }

  async clear(): Promise<void> {
    for (const host of this.#hosts) await host.close().catch(() => undefined)
    for (const child of this.#children) await child.end()
    await this.endRuns()
    this.evidence.close()
    rmSync(this.root, { recursive: true, force: true })
  }
}

export function endProcess(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It is gone already.
  }
}

/** A test with a place, which answers for itself in the end. */
export const it = test.extend<{ world: World }>({
  world: async ({ onTestFailed }, use) => {
    const world = new World()
    let story = ""
    onTestFailed(() => console.error(story))
    try {
      await use(world)
      story = world.story()
      await world.answer()
    } finally {
      await world.clear()
    }
  },
})
