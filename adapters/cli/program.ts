/** The command with its verbs. What a verb does is in its own file; here is only which there are, and their help. */
import { createRequire } from "node:module"
import { Command } from "commander"
import { z } from "zod"
import { examples } from "./options.ts"
import type { Output } from "./output.ts"
import { CliError } from "./problem.ts"

/** What every verb is given: where it speaks, and where it reports the exit code of what it did. */
export interface Cli {
  readonly output: Output
  readonly exit: (code: number) => void
  /** The program as it is for other words. */
  readonly load: (words: readonly string[]) => Promise<Command>
}
/** Adds itself to the program. */
export type Verb = (program: Command, cli: Cli) => void

/** Loaded when asked for, since a verb that reads is done before a host's half of the program would be loaded. */
const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
  run: async () => (await import("./verbs/run.ts")).runVerb,
  send: async () => (await import("./verbs/send.ts")).sendVerb,
  interrupt: async () => (await import("./verbs/interrupt.ts")).interruptVerb,
  sessions: async () => (await import("./verbs/sessions.ts")).sessionsVerb,
  watch: async () => (await import("./verbs/watch.ts")).watchVerb,
  log: async () => (await import("./verbs/log.ts")).logVerb,
  verify: async () => (await import("./verbs/verify.ts")).verifyVerb,
  replay: async () => (await import("./verbs/replay.ts")).replayVerb,
  export: async () => (await import("./verbs/export.ts")).exportVerb,
  rebuild: async () => (await import("./verbs/rebuild.ts")).rebuildVerb,
  erase: async () => (await import("./verbs/erase.ts")).eraseVerb,
  doctor: async () => (await import("./verbs/doctor.ts")).doctorVerb,
  diagram: async () => (await import("./verbs/diagram.ts")).diagramVerb,
  demo: async () => (await import("./verbs/demo.ts")).demoVerb,
  completion: async () => (await import("./verbs/completion.ts")).completionVerb,
}

const exitHelp = `
Exit codes:
  0 ok · 1 the agent failed · 2 bad input · 3 timed out · 4 no such session or turn
  5 denied (key, login) · 75 rate limited, try later · 130 interrupted
`

/** For these words: with the verb that they name, or with all of them, for help and for what is misspelt. */
export async function programFor(words: readonly string[], given: Omit<Cli, "load">): Promise<Command> {
  const cli: Cli = { ...given, load: others => programFor(others, given) }
  const [verb, asked] = words
  if (verb === "help" && asked !== undefined && !Object.hasOwn(verbs, asked) && !asked.startsWith("-"))
    throw new CliError("USAGE_VERB", asked)
  const wanted = verb === "help" ? asked : verb
  const named = Object.entries(verbs).filter(([name]) => name === wanted)
  const loaded = await Promise.all(
    (named.length > 0 ? named : Object.entries(verbs)).map(([, load]) => load()),
  )
  const program = new Command("holdfast")
    .description(
      "Runs coding agents so that their work survives whatever happens to the program that runs them.",
    )
    .version(version())
    .exitOverride()
    .configureOutput({ outputError: () => undefined }) // said by `main.ts`, like every other error
    .addHelpText("after", examples('run "Fix the failing test"', "sessions", "demo") + exitHelp)
  for (const verb of loaded) verb(program, cli)
  return program
}

function version(): string {
  const read = createRequire(import.meta.url)
  return z.object({ version: z.string() }).parse(read("holdfast/package.json")).version
}
