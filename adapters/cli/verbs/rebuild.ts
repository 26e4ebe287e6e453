/**
 * `rebuild`: everything that is derived from the log, made anew in one transaction. It refuses while a host lives,
 * which may be acting on what is replaced, and where the log itself is damaged.
 */
import { z } from "zod"
import { clocks } from "../../../effects/moments.ts"
import { definitions } from "../../../machines/index.ts"
import { openStore, type Store, type VerifyReport } from "../../../store/index.ts"
import { stateFolder } from "../../library/state-folder.ts"
import { paletteOf } from "../colours.ts"
import { exitCodes } from "../exit-codes.ts"
import { liveHosts } from "../hosts.ts"
import { common, examples, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import { CliError } from "../problem.ts"
import type { Verb } from "../program.ts"
import { withReading } from "../reading.ts"

const options = common.extend({ force: z.boolean().default(false) })

export const rebuildVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("rebuild")
    .summary("make anew what is derived from the log")
    .description(
      "Makes snapshots, lists, receipts, timers and outstanding effects anew from the log, which itself stays as it is. Needs the state folder for itself: no host may be at work.",
    )
    .option("--force", "also from a log that does not verify")
  withCommon(command)
    .addHelpText("after", examples("rebuild", "rebuild --json"))
    .action(async (given: unknown) => exit(await rebuild(output, options.parse(given))))
}

async function rebuild(output: Output, { home, force }: z.infer<typeof options>): Promise<number> {
  const folder = stateFolder(process.env, home)
  await withReading(home, () => undefined) // a folder that has no log is refused, not made
  const store = openStore({ folder, definitions, clock: clocks, host: "rebuild", mode: "write" })
  try {
    const before = checked(store, force)
    const [host] = liveHosts(folder) // asked last: nothing is awaited from here on
    if (host !== undefined) throw new CliError("HOST_LIVE", host)
    const { events, streams, quarantined } = store.rebuild()
    const differed = before.problems.filter(({ code }) => code === "CACHE_DIFFERS").length
    output.record({ type: "rebuilt", events, streams, differed, quarantined })
    const { green, yellow } = paletteOf(process.stdout)
    output.text(
      `${green("✓")} Made anew from ${events} events in ${streams} streams; ${differed === 0 ? "nothing" : `${differed} rows`} had been wrong.\n`,
    )
    if (quarantined > 0)
      output.text(
        yellow(`${quarantined} streams cannot be followed to their end. Run holdfast verify to see why.\n`),
      )
    return exitCodes.ok
  } finally {
    store.close()
  }
}

/** What was wrong before. Rows that were changed, removed or reordered would only be taken over. */
function checked(store: Store, force: boolean): VerifyReport {
  const report = store.verify()
  const edited = report.problems.find(({ code }) => chainCodes.has(code))
  if (edited !== undefined && !force)
    throw new CliError(
      "LOG_DAMAGED",
      `${edited.code} at ${edited.position}; \`--force\` rebuilds all the same`,
    )
  return report
}

const chainCodes: ReadonlySet<string> = new Set([
  "POSITION_GAP",
  "PREV_DIFFERS",
  "HASH_DIFFERS",
  "EPOCH_FALLS_BACK",
  "UNREADABLE",
])
