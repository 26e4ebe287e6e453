/** `interrupt`: ends a turn, whoever runs it, and waits for its outcome. */
import { z } from "zod"
import { agentNamed } from "../agents.ts"
import { exitCodes } from "../exit-codes.ts"
import { withHost } from "../hosting.ts"
import { common, examples, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import type { Verb } from "../program.ts"
import { sessionRow, withReading } from "../reading.ts"
import { outcomeWords } from "../show/words.ts"

const options = common.extend({ turn: z.string().optional() })

export const interruptVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("interrupt")
    .summary("end a turn")
    .description("Ends the turn that runs, or one that waits, and tells how it ended. What was said is kept.")
    .argument("<session>", "its id")
    .option("--turn <id>", "which one (default: the one that runs)")
  withCommon(command)
    .addHelpText("after", examples("interrupt 01k2...", "interrupt 01k2... --turn 01k3... --json"))
    .action(async (session: string, given: unknown) =>
      exit(await interrupt(output, session, options.parse(given))),
    )
}

async function interrupt(
  output: Output,
  id: string,
  { home, turn: wanted }: z.infer<typeof options>,
): Promise<number> {
  const { agent, folder } = await withReading(home, reading => ({
    agent: sessionRow(reading, id).agent,
    folder: reading.folder,
  }))
  return withHost(agentNamed(agent, undefined), folder, async (host, interrupts) => {
    interrupts.ask(() => process.exit(exitCodes.interrupted)) // the wish is durable; only the waiting ends
    const session = host.session(id)
    const current = wanted ?? session.status().currentTurn
    if (current === null) {
      output.record({ type: "result", session: id, turn: null, outcome: null })
      output.note("Nothing runs in this session.")
      return exitCodes.ok
    }
    const turn = session.turn(current)
    await turn.interrupt()
    const { text: _, ...result } = await turn.result
    output.record({ type: "result", ...result })
    output.note(`Turn ${current}: ${outcomeWords[result.outcome].toLowerCase()}.`)
    return exitCodes.ok
  })
}
