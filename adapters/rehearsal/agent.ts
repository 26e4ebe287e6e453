#!/usr/bin/env node
/**
 * The rehearsal agent: a program that can be run wherever `cursor-agent` can, speaks and fails as it does, edits
 * files and runs commands for real, and asks no service. This file is only its beginning and its end; what lies
 * between is `run.ts`. Node's own modules and files of this folder, nothing else: every turn starts a fresh one.
 */
import { writeSync } from "node:fs"
import { configFolder } from "./chats.ts"
import { apiKey, Refusal } from "./checks.ts"
import { startChildren } from "./children.ts"
import { loadScenario } from "./choose.ts"
import { lastModel } from "./config.ts"
import { parseFlags, withoutSecrets } from "./flags.ts"
import { type Journal, openJournal } from "./journal.ts"
import { createOutput } from "./output.ts"
import { run } from "./run.ts"
import { ScenarioError } from "./scenario-check.ts"
import { listenForSignals } from "./signals.ts"
import { pacer } from "./stage.ts"

const EXIT_REFUSED = 1
/** The scenario is at fault, not what it plays. */
const EXIT_BAD_SCENARIO = 64
/** A forgotten agent ends by itself, some day. */
const LONGEST_LIFE_MS = 30 * 60_000
const EXIT_FORGOTTEN = 124

const main = async (argv: readonly string[], env: NodeJS.ProcessEnv, journal: Journal): Promise<number> => {
  journal.note({
    event: "started",
    argv: withoutSecrets(argv),
    cwd: process.cwd(),
    environment: Object.keys(env).toSorted(),
  })
  const named = env.HOLDFAST_REHEARSAL
  const scenario = loadScenario(named)
  const out = createOutput(journal, scenario.framing)
  const leave = (code: number): never => {
    out.account()
    journal.note({ event: "exit", code })
    process.exit(code)
  }
  // Also keeps the event loop, and with it the signal handlers, alive while a turn hangs.
  setTimeout(() => leave(EXIT_FORGOTTEN), LONGEST_LIFE_MS)

  const parsed = parseFlags(argv)
  if ("error" in parsed) {
    out.complain(`${parsed.error}\n`)
    return EXIT_REFUSED
  }
  const { flags } = parsed
  const children = startChildren(env, journal)
  const signals = listenForSignals(journal, out, children, leave)
  const config = configFolder(env)
  const pause = pacer(paceOf(env))
  const key = apiKey(flags, env)
  const model = flags.text("model") ?? lastModel(config)
  try {
    return await run(
      { flags, env, config, key, model, out, journal, signals, children, pause, leave },
      scenario,
      named,
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    out.complain(error.message)
    return EXIT_REFUSED
  } finally {
    out.account()
  }
}

const paceOf = (env: NodeJS.ProcessEnv): number => {
  const pace = Number(env.HOLDFAST_REHEARSAL_PACE ?? 1)
  if (!Number.isFinite(pace) || pace < 0)
    throw new ScenarioError("HOLDFAST_REHEARSAL_PACE: expected a number from 0")
  return pace
}

const explain = (error: unknown): string => {
  if (error instanceof ScenarioError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const journal = openJournal(process.env.HOLDFAST_REHEARSAL_JOURNAL, process.env.HOLDFAST_RUN)
let code: number
try {
  code = await main(process.argv.slice(2), process.env, journal)
} catch (error) {
  code = error instanceof ScenarioError ? EXIT_BAD_SCENARIO : EXIT_REFUSED
  try {
    writeSync(2, `rehearsal: ${explain(error)}\n`)
  } catch {
    // Nobody reads stderr either.
  }
}
journal.note({ event: "exit", code })
process.exit(code)
