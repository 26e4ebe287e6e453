/**
 * `export`: the log as JSON lines, with all that is needed to check it elsewhere (see `export/records.ts`), and its
 * head, to be signed off and kept. Texts are not part of it. It reads, page by page, beside whoever is at work.
 */
import { z } from "zod"
import { definitions } from "../../../machines/index.ts"
import { hashRow, type RawRow } from "../../../store/chain.ts"
import { chainChecker } from "../../../store/chain-check.ts"
import { maxPage } from "../../../store/read.ts"
import { exitCodes } from "../exit-codes.ts"
import { type Destination, toFile, toStdout } from "../export/destination.ts"
import { eventRecord, exportRecord, type HeadRecord, headRecord } from "../export/records.ts"
import { listenForInterrupts } from "../interrupts.ts"
import { common, examples, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import { CliError } from "../problem.ts"
import type { Verb } from "../program.ts"
import { type Reading, sessionRow, withReading } from "../reading.ts"

const options = common.extend({ out: z.string().optional(), force: z.boolean().default(false) })

export const exportVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("export")
    .summary("the log and its head, for others to check")
    .description(
      "Writes every event as a JSON line, then the head of the log. Keep the head, or the file: `verify --head` proves later that the log still holds it. Prompts and replies are not in it. Only reads.",
    )
    .argument("[session]", "only this one: every event can be checked, and not that none is left out")
    .option("--out <file>", "write this file, whole or not at all (default: stdout)")
    .option("--force", "also over a file that is there")
  withCommon(command)
    .addHelpText(
      "after",
      examples("export --out log.ndjson", "verify --head log.ndjson", "export 01k2... > session.ndjson"),
    )
    .action(async (session: string | undefined, given: unknown) =>
      exit(await exportLog(output, session, options.parse(given))),
    )
}

function exportLog(
  output: Output,
  session: string | undefined,
  { home, out, force }: z.infer<typeof options>,
): Promise<number> {
  return withReading(home, async reading => {
    if (session !== undefined) sessionRow(reading, session)
    const stopped = new AbortController()
    const interrupts = listenForInterrupts()
    interrupts.ask(() => stopped.abort())
    const signal = AbortSignal.any([stopped.signal, output.gone])
    const destination = out === undefined ? toStdout(output) : await toFile(out, force)
    try {
      const { head, damaged } = await write(reading, session, destination, signal)
      if (head === null) return stopped.signal.aborted ? exitCodes.interrupted : exitCodes.ok
      await destination.publish()
      const { position, hash, events } = head
      if (out !== undefined) output.record({ ...head, type: "exported", file: out })
      output.note(`${events} events${out === undefined ? "" : ` in ${out}`}; head ${position}:${hash}`)
      if (damaged !== null) throw new CliError("LOG_DAMAGED", `event ${damaged} of what was exported`)
      return exitCodes.ok
    } finally {
      interrupts.stop()
      await destination.close()
    }
  })
}

/** Up to the head that the log has now; null when it was stopped before. What is damaged is exported as it is. */
async function write(
  { store }: Reading,
  session: string | undefined,
  destination: Destination,
  signal: AbortSignal,
): Promise<{ readonly head: HeadRecord | null; readonly damaged: number | null }> {
  const head = store.head()
  const isRight = checkerOf(session)
  let events = 0
  let damaged: number | null = null
  await destination.write([exportRecord(definitions, session)])
  for (let after = 0; after < head.position; ) {
    if (signal.aborted) return { head: null, damaged }
    const page = store.rawEvents({ after, limit: maxPage, session })
    const rows = page.filter(row => Number(row.position) <= head.position)
    for (const row of rows) if (!isRight(row)) damaged ??= Number(row.position)
    events += rows.length
    await destination.write(rows.map(eventRecord))
    if (page.length < maxPage) break
    after = Number(page.at(-1)?.position)
  }
  const last = headRecord(head, events)
  await destination.write([last])
  return { head: last, damaged }
}

/** A session's events are not neighbours: of each only its own hash can be checked. */
function checkerOf(session: string | undefined): (row: RawRow) => boolean {
  const chain = chainChecker()
  return row => (session === undefined ? chain.add(row).length === 0 : hashRow(row) === row.hash)
}
