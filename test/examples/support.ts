/** Running an example as its reader would, in a folder of its own: the same program, under its own import names. */
import { spawn } from "node:child_process"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished, vi } from "vitest"
import {
  type JournalEntry,
  readJournal,
  type Scenario,
  writeScenario,
} from "../../adapters/rehearsal/index.ts"

vi.setConfig({ testTimeout: 180_000 })
const examples = join(import.meta.dirname, "..", "..", "examples")

export interface Example {
  readonly stdout: () => string
  readonly kill: () => Promise<void>
  /** Its stdout, once it has ended well. */
  readonly done: () => Promise<string>
}

export class Scene {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-examples-")))

  constructor() {
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }))
  }

  at(name: string): string {
    return join(this.root, name)
  }

  start(name: string, scenario: Scenario | null, ...args: string[]): Example {
    const env = {
      PATH: process.env.PATH,
      HOME: this.root,
      TMPDIR: this.root,
      HOLDFAST_HOME: this.at("state"),
      HOLDFAST_REHEARSAL_PACE: "0",
      HOLDFAST_REHEARSAL_JOURNAL: this.at("journal"),
      ...(scenario !== null && { HOLDFAST_REHEARSAL: writeScenario(this.root, scenario) }),
    }
    const program = ["--conditions=holdfast-source", join(examples, name), ...args]
    const child = spawn(process.execPath, program, { env, stdio: ["ignore", "pipe", "pipe"] })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    const ended = new Promise<number | null>(resolve => child.once("close", code => resolve(code)))
    const kill = async () => {
      child.kill("SIGKILL")
      await ended
    }
    onTestFinished(kill)
    return {
      stdout: () => stdout,
      kill,
      done: async () => {
        const code = await ended
        if (code !== 0 || stderr !== "") throw new Error(`${name} ended with ${code}: ${stderr}`)
        return stdout
      },
    }
  }

  noted<E extends JournalEntry["event"]>(event: E): readonly Extract<JournalEntry, { event: E }>[] {
    return readJournal(this.at("journal")).filter(entry => entry.event === event) as Extract<
      JournalEntry,
      { event: E }
    >[]
  }
}

/** Asks again until it is true. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + 120_000; !isTrue(); ) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
