/** `sessions`: what there is, and how it stands. It owns nothing, and calls nothing alive that is not. */
import type { z } from "zod"
import { StateFolderRefused } from "../../../store/errors.ts"
import type { SessionRow, Undecodable } from "../../../store/types.ts"
import { stateFolder } from "../../library/state-folder.ts"
import { paletteOf } from "../colours.ts"
import { exitCodes } from "../exit-codes.ts"
import { common, examples, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import type { Verb } from "../program.ts"
import { type Reading, withReading } from "../reading.ts"
import { inWords, standingOf } from "../standing.ts"

export const sessionsVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("sessions")
    .summary("what there is, and how it stands")
    .description("Lists the sessions, oldest first. Only reads.")
  withCommon(command)
    .addHelpText("after", examples("sessions", "sessions --json"))
    .action(async (given: unknown) => exit(await sessions(output, common.parse(given))))
}

async function sessions(output: Output, { home }: z.infer<typeof common>): Promise<number> {
  const count = await withReading(home, reading => {
    const rows = reading.store.sessions()
    for (const row of rows) show(output, reading, row)
    return rows.length
  }).catch((error: unknown) => {
    if (error instanceof StateFolderRefused && error.code === "FOLDER_MISSING") return 0
    throw error
  })
  if (count === 0)
    output.note(`No sessions yet in ${stateFolder(process.env, home)}. Start one: holdfast run "…"`)
  return exitCodes.ok
}

function show(output: Output, reading: Reading, row: SessionRow | Undecodable): void {
  if (row.undecodable) {
    output.record({ type: "undecodable", stream: row.stream, position: row.position, code: row.code })
    output.text(`${row.stream}  cannot be read (${row.code}); run holdfast verify\n`)
    return
  }
  const { undecodable: _, ...fields } = row
  const standing = standingOf(reading, row)
  output.record({ type: "session", ...fields, ...standing })
  const { bold, dim } = paletteOf(process.stdout)
  const waiting = row.queued === 0 ? "" : `, ${row.queued} waiting`
  output.text(`${bold(row.session)}  ${row.agent}  ${inWords(row, standing)}${waiting}  ${dim(row.cwd)}\n`)
}
