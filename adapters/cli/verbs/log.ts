/** `log`: the timeline as it was recorded, one line per event. It reads page by page and understands nothing. */
import { z } from "zod"
import { maxPage } from "../../../store/read.ts"
import type { EventRecord, Undecodable } from "../../../store/types.ts"
import { paletteOf } from "../colours.ts"
import { exitCodes } from "../exit-codes.ts"
import { common, examples, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import { parsePosition } from "../position.ts"
import type { Verb } from "../program.ts"
import { sessionRow, withReading } from "../reading.ts"
import { timelineLine } from "../show/timeline.ts"

const options = common.extend({ after: z.int().nonnegative().default(0) })

export const logVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("log")
    .summary("the timeline")
    .description("Prints what was recorded: position, time, stream, what happened, from → to. Only reads.")
    .argument("[session]", "only this one")
    .option("--after <position>", "begin behind this position", parsePosition)
  withCommon(command)
    .addHelpText("after", examples("log", "log 01k2... --json", "log --after 120"))
    .action(async (session: string | undefined, given: unknown) =>
      exit(await log(output, session, options.parse(given))),
    )
}

function log(
  output: Output,
  session: string | undefined,
  { home, after }: z.infer<typeof options>,
): Promise<number> {
  return withReading(home, async reading => {
    if (session !== undefined) sessionRow(reading, session)
    const paint = paletteOf(process.stdout)
    for (let from = after; !output.gone.aborted; ) {
      const page = reading.store.readEvents({ after: from, limit: maxPage, session })
      for (const event of page) {
        output.record(logged(event))
        output.text(`${timelineLine(event, paint)}\n`)
      }
      await output.flushed()
      const last = page.at(-1)
      if (last === undefined || page.length < maxPage) break
      from = last.position
    }
    return exitCodes.ok
  })
}

export function logged(event: EventRecord | Undecodable): Readonly<Record<string, unknown>> {
  const { position, stream } = event
  if (event.undecodable) return { type: "undecodable", position, stream, code: event.code }
  const { version, at: time, type, from, to, ignored, actor, hash } = event
  return { type: "logged", position, time, stream, version, event: type, from, to, ignored, actor, hash }
}
