/**
 * The processes that the agent starts: shells of its tools, which it ends when it is interrupted, and those a
 * scenario leaves behind on purpose, which it never ends: their commands must end by themselves, some day.
 */
import { type ChildProcess, spawn } from "node:child_process"
import type { Journal } from "./journal.ts"
import type { SpawnStep } from "./scenario.ts"

export interface ShellOutcome {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  readonly signal: string | null
  readonly timedOut: boolean
  readonly elapsedMs: number
}

export interface Children {
  shell(command: string, cwd: string, timeoutMs: number): Promise<ShellOutcome>
  leaveBehind(step: SpawnStep): void
  holdStdout(lifeMs: number | undefined): void
  endShells(): void
}

const KEPT_OUTPUT_BYTES = 1024 * 1024
const LIFE_MS = 120_000

export const startChildren = (env: NodeJS.ProcessEnv, journal: Journal): Children => {
  const shells = new Set<ChildProcess>()
  const endGroup = (child: ChildProcess): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    } catch {
      // It is gone already.
    }
  }
  const behind = (
    command: string,
    detached: boolean,
    keepStdout: boolean,
    childEnv: NodeJS.ProcessEnv,
  ): void => {
    const stdio = ["ignore", keepStdout ? 1 : "ignore", "ignore"] as const
    const child = spawn("sh", ["-c", command], { detached, stdio: [...stdio], env: childEnv })
    child.unref()
    if (child.pid !== undefined) journal.note({ event: "spawned", child: child.pid, detached })
  }
  return {
    shell: (command, cwd, timeoutMs) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now()
        // A group of its own, so that all of it can be ended; the marker tells hooks who is asking.
        const child = spawn("sh", ["-c", command], {
          cwd,
          detached: true,
          stdio: ["ignore", "pipe", "pipe"],
          env: { ...env, CURSOR_AGENT: "1" },
        })
        shells.add(child)
        let timedOut = false
        const timer = setTimeout(() => {
          timedOut = true
          endGroup(child)
        }, timeoutMs)
        const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
        child.once("error", reject)
        child.once("close", (code, signal) => {
          clearTimeout(timer)
          shells.delete(child)
          const elapsedMs = Math.round(performance.now() - startedAt)
          resolve({ stdout: stdout(), stderr: stderr(), exitCode: code ?? 1, signal, timedOut, elapsedMs })
        })
      }),
    leaveBehind: step => {
      const deaf = (step.ignoreSignals ?? []).map(name => name.replace(/^SIG/, "")).join(" ")
      const command = deaf === "" ? step.command : `trap '' ${deaf}\n${step.command}`
      const { HOLDFAST_RUN: _marker, ...unmarked } = env
      behind(
        command,
        step.detached ?? false,
        step.keepStdout ?? false,
        step.dropMarker === true ? unmarked : env,
      )
    },
    holdStdout: lifeMs => behind(`exec sleep ${(lifeMs ?? LIFE_MS) / 1000}`, true, true, env),
    endShells: () => {
      for (const child of shells) endGroup(child)
    },
  }
}

const collect = (from: NodeJS.ReadableStream): (() => string) => {
  const parts: Buffer[] = []
  let size = 0
  from.on("data", (part: Buffer) => {
    if (size < KEPT_OUTPUT_BYTES) parts.push(part)
    size += part.length
  })
  return () => Buffer.concat(parts).toString("utf8")
}
