/** Starting a host that is a program of its own, and ending it by SIGKILL. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import { compileCache, type Seen, until } from "../cases/harness.ts"
import type { Lead } from "./codex.ts"
import type { PeerPlace } from "./place.ts"

export interface HostOrders {
  readonly lead: Lead
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly session: string
  readonly prompt: string
}

export interface DoomedHost {
  /** What its reader got so far. */
  readonly read: readonly Seen[]
  readonly untilRead: (what: string, is: (event: Seen) => boolean) => Promise<void>
  readonly kill: () => Promise<void>
}

export const session = "s"

export function startHost(place: PeerPlace, prompt: string, lead: Omit<Lead, "url"> = {}): DoomedHost {
  place.texts.add(prompt)
  const orders: HostOrders = {
    lead: { url: place.model.url, passEnvironment: place.passed, ...lead },
    home: place.home,
    env: place.env,
    cwd: place.cwd,
    session,
    prompt,
  }
  const program = fileURLToPath(new URL("./host.ts", import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(orders)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache },
  })
  const gone = once(child, "exit")
  const kill = async () => {
    child.kill("SIGKILL")
    await gone
  }
  onTestFinished(kill)
  const read: Seen[] = []
  createInterface({ input: child.stdout }).on("line", line => {
    read.push(JSON.parse(line) as Seen) // our own program wrote it
  })
  return {
    read,
    untilRead: (what, is) =>
      until(
        () => {
          if (child.exitCode !== null) throw new Error(`the host ended before ${what}`)
          return read.some(is)
        },
        () => `${what} never came`,
      ),
    kill,
  }
}
