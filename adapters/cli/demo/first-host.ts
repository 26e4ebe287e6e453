/**
 * The demo's first host: this very command in a process of its own, killed with SIGKILL in the middle of the reply.
 * What it had printed by then is all that the demo's reader has seen.
 */
import { spawn } from "node:child_process"
import { extname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { z } from "zod"
import { type Place, pace } from "./place.ts"

const here = fileURLToPath(import.meta.url)
/** As this file is run: from its source or from what was built of it. */
const command = join(here, "..", "..", `bin${extname(here)}`)

/** The reply's first sentence and a few words of what follows the tools. */
const deltasBeforeTheKill = 8

export interface Seen {
  readonly pid: number
  readonly session: string
  readonly turn: string
  readonly run: string
  /** The cursor behind the last event. */
  readonly at: string
  /** The pieces of the reply, in order. */
  readonly deltas: readonly string[]
}

const line = z.looseObject({
  type: z.string(),
  session: z.string().optional(),
  turn: z.string().optional(),
  run: z.string().nullable().optional(),
  at: z.string().optional(),
  text: z.string().nullable().optional(),
  message: z.string().optional(),
})

export async function firstHost(place: Place, prompt: string, say: (text: string) => void): Promise<Seen> {
  const { worktree, home, journal, scenario } = place
  const words = ["run", "--json", "--agent", "rehearsal", "--cwd", worktree, "--home", home, prompt]
  const child = spawn(process.execPath, [...process.execArgv, command, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      HOLDFAST_REHEARSAL: scenario,
      HOLDFAST_REHEARSAL_JOURNAL: journal,
      HOLDFAST_REHEARSAL_PACE: String(pace),
    },
  })
  const gone = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (_, signal) => resolve(signal))
  })
  const deltas: string[] = []
  let [session, turn, run, at, trouble] = ["", "", "", "", "it ended before there was a reply"]
  for await (const text of createInterface({ input: child.stdout })) {
    const told = parsed(text)
    if (told === null) continue
    if (told.type === "error") trouble = told.message ?? trouble
    session = told.session ?? session
    turn = told.turn ?? turn
    run = told.run ?? run
    at = told.at ?? at
    if (told.type !== "text.delta" || typeof told.text !== "string") continue
    say(told.text)
    deltas.push(told.text)
    if (deltas.length === deltasBeforeTheKill) child.kill("SIGKILL")
  }
  const signal = await gone
  if (signal !== "SIGKILL") throw new Error(`the first host was not killed: ${trouble}`)
  return { pid: child.pid ?? 0, session, turn, run, at, deltas }
}

/** The last line of a killed process may be torn; then nobody has seen it. */
function parsed(text: string): z.infer<typeof line> | null {
  try {
    return line.parse(JSON.parse(text))
  } catch {
    return null
  }
}
