/**
 * Where the effects' own words go: stderr, one JSON line each, from the level that `HOLDFAST_LOG` names. Never
 * stdout, which belongs to the program; never a text of a user, and no secret. A line that is not wanted is not made.
 *
 * Every line has `level`, `time` (ISO 8601, UTC), `pid`, `host` (the host's id) and `msg`; where they are known,
 * `session`, `turn`, `run`, `stream`, `position` (of an event of the log) and `effect`; `durationMs` since an effect
 * was started; `failures` as `log-failures.ts` tells them.
 */
import { Cause, Layer, Logger, References } from "effect"
import pino from "pino"
import type { HostSettings } from "../settings.ts"
import { failuresOf } from "./log-failures.ts"
import { askedLevel, levelNames, pinoLevels } from "./log-level.ts"
import { scrubber, secretPaths } from "./log-secrets.ts"

export type LogSettings = Pick<HostSettings, "host" | "agents" | "env">

export const loggingLayer = (settings: LogSettings): Layer.Layer<never> => {
  const { minimum, unknown } = askedLevel(settings.env)
  const level = Layer.succeed(References.MinimumLogLevel, minimum)
  const name = pinoLevels[minimum]
  if (name === null) return Layer.merge(Logger.layer([]), level)
  const sink = sinkOf(settings, name)
  if (unknown)
    sink.warn(
      { levels: levelNames },
      `HOLDFAST_LOG is not a level. Going on with "${name}"; use one of these`,
    )
  return Layer.merge(Logger.layer([loggerTo(sink, scrubber(settings.agents.values(), settings.env))]), level)
}

/** Synchronous, so that the last line before a crash is there; at most a few lines per effect are written. */
function sinkOf({ host, agents }: LogSettings, level: pino.Level): pino.Logger {
  return pino(
    {
      level,
      base: { pid: process.pid, host },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      redact: { paths: secretPaths(agents.values()), censor: "[redacted]" },
    },
    pino.destination({ fd: 2, sync: true }),
  )
}

/** Texts of a message become its words, objects its fields, causes its failures; annotations come along. */
function loggerTo(sink: pino.Logger, scrub: (value: unknown) => unknown): Logger.Logger<unknown, void> {
  return Logger.make(({ cause, date, fiber, logLevel, message }) => {
    const to = pinoLevels[logLevel]
    if (to === null) return
    const said: readonly unknown[] = Array.isArray(message) ? message : [message]
    const words = said.filter(part => typeof part === "string").join(" ")
    const failures = failuresOf(cause)
    const begun = fiber.getRef(References.CurrentLogSpans).at(-1)?.[1]
    const line = {
      ...fiber.getRef(References.CurrentLogAnnotations),
      ...Object.assign({}, ...said.filter(part => typeof part === "object" && !Cause.isCause(part))),
      ...(begun !== undefined && { durationMs: date.getTime() - begun }),
      ...(failures.length > 0 && { failures }),
    }
    sink[to](scrub(line), String(scrub(words)))
  })
}
