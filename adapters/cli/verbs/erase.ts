/** `erase`: what was said in a session is taken away for good. It asks first; the events stay, and so does the chain. */
import { createInterface } from "node:readline/promises"
import { z } from "zod"
import { erase } from "../erasing.ts"
import { exitCodes } from "../exit-codes.ts"
import { common, examples, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import { CliError } from "../problem.ts"
import type { Verb } from "../program.ts"
import { sessionRow, withReading } from "../reading.ts"

const options = common.extend({ yes: z.boolean().default(false) })

export const eraseVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("erase")
    .summary("take away what was said in a session")
    .description(
      "Takes prompts, replies, the agent's raw output and its private settings of a session away for good, with the key of their digests. Its events stay and name nothing; the log still verifies. Needs neither the agent's program nor its key. Refused while a turn runs.",
    )
    .argument("<session>", "its id")
    .option("--yes", "do not ask; needed where nobody can be asked")
  withCommon(command)
    .addHelpText("after", examples("erase 01k2...", "erase 01k2... --yes --json"))
    .action(async (session: string, given: unknown) =>
      exit(await eraseTexts(output, session, options.parse(given))),
    )
}

async function eraseTexts(
  output: Output,
  session: string,
  { home, yes }: z.infer<typeof options>,
): Promise<number> {
  const { folder, waiting } = await withReading(home, reading => ({
    folder: reading.folder,
    waiting: sessionRow(reading, session).queued,
  }))
  if (!yes) await confirm(output, session, waiting)
  const { texts, complete } = await erase(folder, session)
  output.record({ type: "erased", session, texts, complete })
  output.note(`Erased: ${texts} texts, and the raw output of every run of ${session}.`)
  if (complete) return exitCodes.ok
  output.note(
    "Another process still reads old pages of the log, so that traces are left in the file beside it. End it (a `watch`, or a host), then erase again.",
  )
  return exitCodes.failed
}

async function confirm(output: Output, session: string, waiting: number): Promise<void> {
  const { stdin, stderr } = process
  if (output.json || stdin.isTTY !== true || stderr.isTTY !== true) throw new CliError("USAGE_CONFIRM")
  const lost = waiting === 0 ? "" : ` ${waiting} prompts that wait there are lost with them.`
  const asked = createInterface({ input: stdin, output: stderr })
  try {
    const question = `Erase every text of ${session}? It cannot be undone.${lost} [y/N] `
    const answer = await asked.question(question).catch(() => "") // Ctrl-C and Ctrl-D are no yes
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new CliError("ERASE_DECLINED")
  } finally {
    asked.close()
  }
}
