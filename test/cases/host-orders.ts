/** Starting and ending hosts that are programs of their own. Ended by pid, never left behind. */
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import type { RehearsalOptions } from "../../adapters/agents/index.ts"
import type { RunLimits } from "../../adapters/library/index.ts"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { writeScenario } from "../../adapters/rehearsal/index.ts"
import { compileCache, type Place, until } from "./harness.ts"

export interface HostOrders {
  readonly agent: RehearsalOptions
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly limits?: Partial<RunLimits>
  readonly launch?: { readonly cwd: string; readonly session: string; readonly prompts: readonly string[] }
}
interface Word {
  readonly word: "open" | "launched" | "accepted" | "settled" | "closed"
  readonly turn?: string
  readonly outcome?: string
}

export interface OtherHost {
  readonly pid: number
  readonly words: readonly Word[]
  /** Waits until it has said this as often. */
  readonly said: (word: Word["word"], times?: number) => Promise<readonly Word[]>
  readonly kill: () => Promise<void>
  readonly close: (how?: "close" | "leave") => Promise<void>
}

export function startHost(
  place: Place,
  scenario: Scenario | string,
  launch?: HostOrders["launch"],
  limits?: Partial<RunLimits>,
): OtherHost {
  const named = typeof scenario === "object" ? writeScenario(place.root, scenario) : scenario
  const orders: HostOrders = {
    agent: { scenario: named, journal: place.journalPath, pace: 0, passEnvironment: Object.keys(place.env) },
    home: place.home,
    env: place.env,
    ...(limits !== undefined && { limits }),
    ...(launch !== undefined && { launch }),
  }
  for (const prompt of launch?.prompts ?? []) place.texts.add(prompt)
  const program = fileURLToPath(new URL("./host-process.ts", import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(orders)], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
  const gone = new Promise<void>(resolve => child.once("exit", () => resolve()))
  const end = async (act: (child: ChildProcess) => void) => {
    act(child)
    await gone
  }
  onTestFinished(() => end(() => child.kill("SIGKILL")))
  const words: Word[] = []
  createInterface({ input: child.stdout }).on("line", line => {
    words.push(JSON.parse(line) as Word) // our own program wrote it
  })
  return {
    pid: child.pid ?? 0,
    words,
    said: async (word, times = 1) => {
      const heard = () => words.filter(one => one.word === word)
      await until(
        () => heard().length >= times || child.exitCode !== null,
        () => `the host never said "${word}"`,
      )
      if (heard().length < times) throw new Error(`the host ended before it said "${word}"`)
      return heard()
    },
    kill: () => end(() => child.kill("SIGKILL")),
    close: (how = "close") => end(() => child.stdin.write(`${how}\n`)),
  }
}
