/** `watch`: what happens in a session, from its beginning or from a cursor on. It reads, beside whoever is at work. */
import { z } from "zod"
import { formatCursor } from "../../../effects/follow/events.ts"
import { canStand, follow } from "../../../effects/follow/follow.ts"
import { cursorOf } from "../../library/cursor.ts"
import { Refusal } from "../../library/errors.ts"
import { allAgents } from "../agents.ts"
import { exitCodes } from "../exit-codes.ts"
import { listenForInterrupts } from "../interrupts.ts"
import { common, examples, goOnWith, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import { CliError } from "../problem.ts"
import type { Verb } from "../program.ts"
import { type Reading, sessionRow, withReading } from "../reading.ts"
import { shellWord } from "../shell-word.ts"
import { viewOn } from "../show/view.ts"
import { inWords, standingOf } from "../standing.ts"

const options = common.extend({
  session: z.string().optional(),
  after: z.string().optional(),
  turn: z.string().optional(),
  once: z.boolean().default(false),
})

export const watchVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("watch")
    .summary("what happens in a session")
    .description(
      "Shows what happened in a session and then what happens, until Ctrl-C, which leaves the turn alone. Tells at the end how to go on behind what was shown. Only reads.",
    )
    .argument("[session]", "its id")
    .option("--session <id>", "the same as a flag")
    .option("--after <cursor>", "go on behind this `at` of an earlier `--json`")
    .option("--turn <id>", "only this turn; ends when it has settled")
    .option("--once", "end at what there is instead of waiting for more")
  withCommon(command)
    .addHelpText(
      "after",
      examples("watch 01k2...", "watch --session 01k2... --json --after 12:480:1:01k3....1"),
    )
    .action(async (session: string | undefined, given: unknown) => {
      const parsed = options.parse(given)
      exit(await watch(output, named(session, parsed.session), parsed))
    })
}

function named(argument: string | undefined, flag: string | undefined): string {
  const id = argument ?? flag
  if (id === undefined || (flag !== undefined && flag !== id)) throw new CliError("USAGE_SESSION")
  return id
}

async function watch(output: Output, id: string, given: z.infer<typeof options>): Promise<number> {
  const cursor = cursorOf(given.after)
  return withReading(given.home, async reading => {
    const row = sessionRow(reading, id)
    if (cursor !== undefined && !canStand(reading.store, id, cursor)) throw new Refusal("CURSOR_INVALID")
    if (given.turn !== undefined) checkTurn(reading, id, given.turn)
    const view = viewOn(output, { live: false, goOn: goOnWith(given.home) })
    const standing = standingOf(reading, row)
    const { agent, cwd, model, state, currentTurn } = row
    view.session({ session: id, agent, cwd, model, home: reading.folder, state, currentTurn, ...standing })
    if (standing.left) output.note(inWords(row, standing))

    const stopped = new AbortController()
    const interrupts = listenForInterrupts()
    interrupts.ask(() => stopped.abort())
    const signal = AbortSignal.any([stopped.signal, output.gone])
    let seen = given.after
    try {
      const events = follow({
        ...reading,
        session: id,
        turn: given.turn,
        cursor,
        live: !given.once,
        signal,
        agents: allAgents(),
        maxLineBytes: 16 * 1024 * 1024,
        pollMs: 25,
      })
      for await (const event of events) {
        if (signal.aborted) break
        const at = formatCursor(event.cursor)
        view.event({ ...event, at })
        await output.room()
        seen = at
      }
      if (seen !== undefined) output.note(`${output.shared ? "\n" : ""}${goOn(id, seen, given.home)}`)
      return stopped.signal.aborted ? exitCodes.interrupted : exitCodes.ok
    } finally {
      interrupts.stop()
    }
  })
}

function checkTurn({ store }: Reading, session: string, turn: string): void {
  const row = store.turn(turn)
  if (row === null || row.undecodable || row.session !== session) throw new Refusal("TURN_UNKNOWN", turn)
}

/** The words with which a person goes on behind the last event that was shown. */
function goOn(session: string, after: string, home: string | undefined): string {
  const where = home === undefined ? "" : ` --home ${shellWord(home)}`
  return `To go on from here: holdfast watch ${shellWord(session)} --after ${shellWord(after)}${where}`
}
