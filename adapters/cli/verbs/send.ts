/** `send`: the next turn of a session that is there, to its end. What runs already is waited for first. */
import { z } from "zod"
import { agentNamed, checkReady } from "../agents.ts"
import { drive } from "../drive.ts"
import { withHost } from "../hosting.ts"
import { binOption, common, examples, goOnWith, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import type { Verb } from "../program.ts"
import { readPrompt } from "../prompt.ts"
import { sessionRow, withReading } from "../reading.ts"
import { letTheDeadSettle, pausedError } from "../settling.ts"
import { viewOn } from "../show/view.ts"

const options = common.extend({
  id: z.string().optional(),
  bin: z.string().optional(),
  resume: z.boolean().default(false),
})

export const sendVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("send")
    .summary("the next turn of a session")
    .description("Gives a session its next prompt; it goes on with the agent's own conversation.")
    .argument("<session>", "its id, as `run` and `sessions` print it")
    .argument("[prompt]", "what is to be done; `-`, or nothing when something is piped in, reads stdin")
    .option("--id <request>", "names this request: given twice, it is done once")
    .option("--resume", "also when the session is paused, e.g. because nobody knows how its last turn ended")
    .option(...binOption)
  withCommon(command)
    .addHelpText(
      "after",
      examples('send 01k2... "Now add a test"', 'send 01k2... --id order-42 "Now add a test" --json'),
    )
    .action(async (session: string, prompt: string | undefined, given: unknown) =>
      exit(await send(output, session, prompt, options.parse(given))),
    )
}

async function send(
  output: Output,
  id: string,
  argument: string | undefined,
  given: z.infer<typeof options>,
): Promise<number> {
  const { row, folder } = await withReading(given.home, reading => ({
    row: sessionRow(reading, id),
    folder: reading.folder,
  }))
  const adapter = agentNamed(row.agent, given.bin)
  const prompt = await readPrompt(argument)
  await checkReady(adapter)

  const view = viewOn(output, { live: true, goOn: goOnWith(given.home) })
  return withHost(adapter, folder, async (host, interrupts) => {
    const session = host.session(id)
    await letTheDeadSettle(session, folder)
    if (session.status().state === "paused") {
      if (!given.resume) throw pausedError(session)
      await session.resume()
    }
    const { agent, cwd, model } = row
    view.session({ session: id, agent, cwd, model, home: folder })
    const turn = session.send(prompt, given.id === undefined ? {} : { id: given.id })
    return drive({ session, turn, folder, view, output, interrupts })
  })
}
