/**
 * `HOLDFAST_LOG`: how much a host says. One of `fatal`, `error`, `warn` (the default), `info`, `debug`, `trace` and
 * `silent`, in any case. A value that is none of them costs one warning and counts as the default: a host is not
 * kept from opening by a misspelt word, and the operator is not left wondering where the lines are.
 */
import type { LogLevel } from "effect"
import type { Level } from "pino"
import type { Environment } from "../agent.ts"

const effectLevels = {
  fatal: "Fatal",
  error: "Error",
  warn: "Warn",
  info: "Info",
  debug: "Debug",
  trace: "Trace",
} as const satisfies Record<Level, LogLevel.Severity>

/** The levels that a line can have. */
export const pinoLevels: Readonly<Record<LogLevel.LogLevel, Level | null>> = {
  All: "trace",
  Trace: "trace",
  Debug: "debug",
  Info: "info",
  Warn: "warn",
  Error: "error",
  Fatal: "fatal",
  None: null,
}

export const levelNames = [...Object.keys(effectLevels), "silent"]

export interface Asked {
  /** Lines below it are not made; `None`: no line at all. */
  readonly minimum: LogLevel.Severity | "None"
  /** What was asked for is not a level. The value is not kept: it may be anything. */
  readonly unknown: boolean
}

export function askedLevel(env: Environment): Asked {
  const asked = env.HOLDFAST_LOG?.trim().toLowerCase() ?? ""
  if (asked === "silent") return { minimum: "None", unknown: false }
  if (isLevel(asked)) return { minimum: effectLevels[asked], unknown: false }
  return { minimum: "Warn", unknown: asked !== "" }
}

const isLevel = (name: string): name is Level => Object.hasOwn(effectLevels, name)
