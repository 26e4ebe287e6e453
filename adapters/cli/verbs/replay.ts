/** `replay`: what every stream was after a position, by the machines themselves. It reads, and compares. */
import { z } from "zod"
import { definitions } from "../../../machines/index.ts"
import { type Palette, paletteOf } from "../colours.ts"
import { exitCodes } from "../exit-codes.ts"
import { common, examples, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import { parsePosition } from "../position.ts"
import { CliError } from "../problem.ts"
import type { Verb } from "../program.ts"
import { sessionRow, withReading } from "../reading.ts"
import { type Difference, type ReplayedStream, replayTo } from "../replaying.ts"

const options = common.extend({ at: z.int().nonnegative().optional() })

export const replayVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("replay")
    .summary("what everything was at a position")
    .description(
      "Replays the log through the machines and prints what every stream was after a position. Tells where a recorded state is not the one that the replay comes to; ends with 1 then. Only reads.",
    )
    .argument("[session]", "only this one")
    .option(
      "--at <position>",
      "the last event to be replayed (default: the last one there is)",
      parsePosition,
    )
  withCommon(command)
    .addHelpText("after", examples("replay", "replay 01k2... --at 120", "replay --json"))
    .action(async (session: string | undefined, given: unknown) =>
      exit(await replay(output, session, options.parse(given))),
    )
}

function replay(
  output: Output,
  session: string | undefined,
  given: z.infer<typeof options>,
): Promise<number> {
  return withReading(given.home, async reading => {
    if (session !== undefined) sessionRow(reading, session)
    const last = reading.store.lastPosition()
    const at = given.at ?? last
    if (at > last) throw new CliError("USAGE_POSITION", `it ends at ${last}`)
    const { events, streams, differences } = replayTo(reading.store, definitions, { at, session })
    const paint = paletteOf(process.stdout)
    for (const difference of differences) tellDifference(output, difference, paint)
    for (const stream of streams) tellStream(output, stream, paint)
    const differing = differences.length
    output.record({ type: "replayed", at, events, streams: streams.length, differing })
    output.text(
      differing === 0
        ? `${paint.green("✓")} ${events} events in ${streams.length} streams, replayed to position ${at}; every recorded state agrees.\n`
        : `${paint.red("✗")} ${differing} of ${streams.length} streams are not what was recorded. Run holdfast verify.\n`,
    )
    await output.flushed()
    return differing === 0 ? exitCodes.ok : exitCodes.failed
  })
}

function tellDifference(output: Output, difference: Difference, { red }: Palette): void {
  const { position, stream, code, recorded, replayed } = difference
  output.record({ type: "difference", ...difference })
  const states = recorded === null ? "" : `: recorded ${recorded}, replayed ${replayed ?? "nothing"}`
  output.text(`${red(code)} at ${position}, ${stream}${states}; this stream is followed no further\n`)
}

function tellStream(output: Output, at: ReplayedStream, { dim, cyan, yellow }: Palette): void {
  const { stream, machine, position, broken } = at
  const { state, version, machineVersion, snapshot, blind } = at.progress
  const context = snapshot?.context ?? null
  output.record({
    ...{ type: "stream", stream, machine, machineVersion, state, version, position },
    ...{ replayed: !blind, broken, context },
  })
  const recorded = blind ? yellow(` (as recorded: its machine was of version ${machineVersion})`) : ""
  const where = dim(`version ${version}, position ${position}`)
  output.text(`${stream.padEnd(36)}  ${cyan((state ?? "unknown").padEnd(14))}  ${where}${recorded}\n`)
}
