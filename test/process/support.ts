/** Small real processes with a mark of their own, ended by their identity when the test is over. */
import { type ChildProcess, spawn } from "node:child_process"
import { afterEach } from "vitest"
import { descendantsOf } from "../../effects/process/descendants.ts"
import { identityOf } from "../../effects/process/identity.ts"
import { runMark, signalVerified } from "../../effects/process/signals.ts"
import type { ProcessIdentity } from "../../machines/words.ts"

export { until } from "../run-folder/support.ts"

const runs: string[] = []
let counter = 0

export function newRun(): string {
  counter += 1
  const run = `proc-${process.pid}-${counter}-${Math.random().toString(36).slice(2)}`
  runs.push(run)
  return run
}

export interface Child {
  readonly identity: ProcessIdentity
  readonly child: ChildProcess
  readonly gone: Promise<number | null>
}

/** `program` for `sh`, started as a host starts a launcher: leader of its own session, with the run's mark. */
export async function child(run: string | null, program: string, ...args: string[]): Promise<Child> {
  const mark = run === null ? {} : { HOLDFAST_RUN: run }
  const started = spawn("/bin/sh", ["-c", program, "child", ...args], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, ...mark },
  })
  const gone = new Promise<number | null>(resolve => started.once("exit", resolve))
  // Its first line says that it is ready.
  await new Promise(resolve => started.stdout?.once("data", resolve))
  const identity = identityOf(started.pid ?? 0)
  if (identity === null) throw new Error("the child ended before it was ready")
  return { identity, child: started, gone }
}

afterEach(async () => {
  for (const run of runs.splice(0)) {
    for (const { identity } of descendantsOf(run, null)) {
      signalVerified(identity, "SIGKILL", { marker: runMark(run) })
    }
  }
})
