/**
 * `demo`: a host dies in the middle of a reply, and nothing is lost. It tells the story, its checks and where to look
 * next; every claim it prints was checked just before.
 */
import { rmSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { z } from "zod"
import { paletteOf } from "../colours.ts"
import { Checks } from "../demo/checks.ts"
import { demo } from "../demo/demo.ts"
import type { Judgement } from "../demo/judge.ts"
import { makePlace, type Place } from "../demo/place.ts"
import { exitCodes } from "../exit-codes.ts"
import { examples } from "../options.ts"
import type { Output } from "../output.ts"
import { CliError } from "../problem.ts"
import type { Verb } from "../program.ts"
import { timelineLine } from "../show/timeline.ts"

const options = z.object({ json: z.boolean().default(false), clean: z.boolean().default(false) })
/** Far more than it needs; a demo that hangs has failed. */
const longestMs = 60_000

export const demoVerb: Verb = (program, { output, exit }) => {
  program
    .command("demo")
    .summary("a host dies in the middle of a reply, and nothing is lost")
    .description(
      "Kills a host with SIGKILL while its agent streams, takes the agent over with another one, and checks that nothing was lost or done twice. Needs git, and no key.",
    )
    .option("--json", "print JSON lines and nothing else on stdout")
    .option("--clean", "remove the demo's folder at the end, unless something failed")
    .addHelpText("after", examples("demo", "demo --json --clean"))
    .action(async (given: unknown) => exit(await play(output, options.parse(given))))
}

async function play(output: Output, { clean }: z.infer<typeof options>): Promise<number> {
  const { bold, dim, green, red } = paletteOf(process.stdout)
  const place = await makePlace()
  output.record({ type: "demo.started", folder: place.root })
  const checks = new Checks(check => {
    output.record({ type: "demo.check", ...check })
    output.text(`  ${check.ok ? green("✓") : red("✗")} ${check.claim}.\n`)
  })
  let midLine = false
  const title = (text: string) => {
    output.record({ type: "demo.step", text })
    output.text(`${midLine ? "\n" : ""}\n${bold(`— ${text}.`)}\n\n`)
    midLine = false
  }
  const say = (text: string) => {
    output.text(text)
    midLine = true
  }

  const hung = sleep(longestMs, undefined, { ref: false }).then(() => {
    throw new CliError("DEMO_FAILED", "it did not come to an end")
  })
  const judged = await Promise.race([demo(place, checks, { say, title }), hung]).catch((error: unknown) => {
    checks.holds("story", "The story came to its end", false, String(error))
    output.note(String(error))
    return null
  })
  const failed = checks.failed()
  if (judged !== null) tellTimeline(output, judged)
  output.text(whereToLook(place, dim, clean && failed.length === 0))
  output.record({
    type: "demo.done",
    ok: failed.length === 0,
    adopted: checks.passed("adopted"),
    turns: judged?.turns ?? 0,
    events: judged?.report.events ?? 0,
    chain: judged?.report.ok === true ? "ok" : "broken",
    ...(failed.length > 0 && { failed }),
  })
  if (clean && failed.length === 0) rmSync(place.root, { recursive: true, force: true })
  return failed.length === 0 ? exitCodes.ok : exitCodes.failed
}

/** The steps that changed a state, and the takeover. */
function tellTimeline(output: Output, { timeline }: Judgement): void {
  const paint = paletteOf(process.stdout)
  const told = timeline.filter(event => !event.ignored && (event.from !== event.to || event.type === "found"))
  output.text(`\n${paint.bold("— The timeline: what changed, and the takeover.")}\n\n`)
  for (const event of told) output.text(`${timelineLine(event, paint)}\n`)
}

function whereToLook(
  { root, home, journal, worktree }: Place,
  dim: (text: string) => string,
  gone: boolean,
): string {
  if (gone) return "\n"
  const lines = [
    `Everything is in ${root}, and stays there:`,
    `  holdfast log --home ${home}        the whole timeline`,
    `  holdfast sessions --home ${home}`,
    `  holdfast verify --home ${home}`,
    `  ${worktree}    the repository: git -C … status`,
    `  ${journal}    what the agent says it did`,
    "  npx holdfast, or node adapters/cli/bin.ts from a checkout, is the command.",
  ]
  return `\n${dim(lines.join("\n"))}\n`
}
