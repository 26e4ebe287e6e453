/**
 * Where the effects' own words go: stderr, as JSON lines, from the level that `HOLDFAST_LOG` names (default
 * `error`). Never stdout, which belongs to the program; never a text of a user.
 */
import { Cause, type Layer, Logger, type LogLevel } from "effect"
import pino from "pino"
import type { Environment } from "../agent.ts"

const levels: Readonly<Record<LogLevel.LogLevel, pino.Level | null>> = {
  All: "trace",
  Trace: "trace",
  Debug: "debug",
  Info: "info",
  Warn: "warn",
  Error: "error",
  Fatal: "fatal",
  None: null,
}

export const loggingLayer = (env: Environment): Layer.Layer<never> => {
  const level = env.HOLDFAST_LOG ?? "error"
  const known = level in pino.levels.values || level === "silent"
  const sink = pino(
    { name: "holdfast", level: known ? level : "error" },
    pino.destination({ fd: 2, sync: true }),
  )
  const logger = Logger.make(({ cause, logLevel, message }) => {
    const to = levels[logLevel]
    if (to === null) return
    const said = Array.isArray(message) ? message : [message]
    const reasons = said.filter(Cause.isCause).concat(cause)
    const words = said.filter(part => typeof part === "string").join(" ")
    const failed = reasons.flatMap(reason => Cause.prettyErrors(reason).map(error => error.message))
    sink[to](failed.length > 0 ? { failed } : {}, words)
  })
  return Logger.layer([logger])
}
