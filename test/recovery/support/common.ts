/** What places, hosts and tests agree on. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Prompt } from "../fixtures/plan.ts"

/** The variable that every process of a place's runs carries. */
export const mark = "HOLDFAST_RECOVERY_TEST"

/** Compiled once for all processes of a test file, and removed with them. */
export const compileCache = join(tmpdir(), `holdfast-recovery-cache-${process.pid}`)

/** Far away; a test that wants one near says so. */
export const limits = {
  firstOutputMs: 3_600_000,
  idleMs: 3_600_000,
  toolIdleMs: 3_600_000,
  totalMs: 36_000_000,
  resultGraceMs: 300,
  signalGraceMs: 300,
  unattendedMs: 3_600_000,
  maxSpoolBytes: 1_000_000_000,
} as const

export const prompt: Prompt = { id: "order-1", text: "please do what the scenario says" }

/** What of a place everybody may know. */
export interface Ground {
  readonly cwd: string
  readonly home: string
  readonly journal: string
  readonly env: Readonly<Record<string, string>>
  /** A new path of its own. */
  readonly file: (name: string) => string
}
