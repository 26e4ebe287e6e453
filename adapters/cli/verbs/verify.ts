/** `verify`: whether the log is what was written. It reads; what it finds is told, and healed by nobody here. */
import { z } from "zod"
import { StoreUnavailable } from "../../../store/errors.ts"
import { paletteOf } from "../colours.ts"
import { exitCodes } from "../exit-codes.ts"
import { readHead } from "../export/head.ts"
import { common, examples, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import type { Verb } from "../program.ts"
import { withReading } from "../reading.ts"

const options = common.extend({ head: z.string().optional() })

export const verifyVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("verify")
    .summary("whether the log is what was written")
    .description(
      "Checks the hash chain over every event, replays them, and compares what is derived from them. Only reads.",
    )
    .option(
      "--head <head>",
      "kept elsewhere: a file that `export` wrote, or `position:hash` as `verify` prints it, or a file with that; proves that the log still holds it, and shows a tail that was cut off",
    )
  withCommon(command)
    .addHelpText(
      "after",
      examples("verify", "verify --head log.ndjson", "verify --head 120:9f2c...", "verify --json"),
    )
    .action(async (given: unknown) => exit(await verify(output, options.parse(given))))
}

async function verify(output: Output, { home, head: given }: z.infer<typeof options>): Promise<number> {
  const head = given === undefined ? undefined : readHead(given)
  const { green, red } = paletteOf(process.stdout)
  const report = await withReading(home, ({ store }) => store.verify({ head })).catch(damaged)
  for (const problem of report.problems) {
    output.record({ type: "problem", ...problem })
    const { position, stream, column, code, message } = problem
    output.text(
      `${red(code)} at ${position}, ${stream}${column === undefined ? "" : `, ${column}`}: ${message}\n`,
    )
  }
  const { ok, events, streams } = report
  const printed = report.head === null ? null : `${report.head.position}:${report.head.hash}`
  const problems = report.problems.length
  const held = head === undefined ? "" : `${green("✓")} It holds the given head, position ${head.position}.\n`
  output.record({ type: "verified", ok, events, streams, problems, head: printed })
  output.text(
    ok
      ? `${green("✓")} ${events} events in ${streams} streams; the chain is whole and the replay agrees.\n${held}head ${printed}\n`
      : `${red("✗")} This log is not what was written (${problems} findings).\n`,
  )
  return ok ? exitCodes.ok : exitCodes.failed
}

/** A file too damaged to be opened is a finding too, not an error of the verb. */
function damaged(error: unknown) {
  if (!(error instanceof StoreUnavailable) || error.code !== "STORE_CORRUPT") throw error
  const problem = { position: 0, stream: "?", column: undefined, code: error.code, message: error.message }
  return { ok: false, events: 0, streams: 0, head: null, problems: [problem] }
}
