/**
 * The flags that several verbs share, declared once and parsed once. Commander hands over values without types;
 * the schemas here are where they get theirs.
 */
import type { Command } from "commander"
import { z } from "zod"
import type { RunLimits } from "../../machines/words.ts"
import { defaultLimits } from "../library/checks.ts"
import { parseDuration } from "./duration.ts"
import { shellWord } from "./shell-word.ts"

export const common = z.object({
  json: z.boolean().default(false),
  /** The state folder. */
  home: z.string().optional(),
})

export function withCommon(command: Command): Command {
  return command
    .option("--json", "print JSON lines and nothing else on stdout")
    .option("--home <folder>", "the state folder (default: $HOLDFAST_HOME, else $XDG_STATE_HOME/holdfast)")
}

/** Which program the agent is, for the verbs that start one. */
export const binOption = [
  "--bin <path>",
  "the agent's program (default: $HOLDFAST_CURSOR_BIN or $HOLDFAST_CODEX_BIN, else found on the PATH)",
] as const

const ms = z.number().optional()
export const limits = z.object({ idle: ms, toolIdle: ms, firstOutput: ms, timeout: ms })

export function withLimits(command: Command): Command {
  return command
    .option("--timeout <duration>", "end the turn after this long (default: 24h)", parseDuration)
    .option("--idle <duration>", "end it after this much silence (default: 10m)", parseDuration)
    .option("--tool-idle <duration>", "the same while a tool is at work (default: 1h)", parseDuration)
    .option(
      "--first-output <duration>",
      "how long the agent may take to say anything (default: 2m)",
      parseDuration,
    )
}

/** A command is gone sooner than a service; so is an agent that nobody comes back to. */
const unattendedMs = 60_000

export function runLimits(options: z.infer<typeof limits>): Partial<RunLimits> {
  const { idle, toolIdle, timeout } = options
  // Silence is silence, also before the first word.
  const firstOutput =
    options.firstOutput ?? (idle === undefined ? undefined : Math.min(idle, defaultLimits.firstOutputMs))
  return {
    unattendedMs,
    ...(idle !== undefined && { idleMs: idle }),
    ...(toolIdle !== undefined && { toolIdleMs: toolIdle }),
    ...(firstOutput !== undefined && { firstOutputMs: firstOutput }),
    ...(timeout !== undefined && { totalMs: timeout }),
  }
}

/** The words with which a person goes on with a session. */
export function goOnWith(home: string | undefined): (session: string) => string {
  const where = home === undefined ? "" : ` --home ${shellWord(home)}`
  return session => `holdfast send ${session}${where}`
}

/** Examples below a verb's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map(line => `  $ holdfast ${line}`).join("\n")}\n`
}
