/**
 * `diagram`: a machine as a table, a drawing or Mermaid, and where a session stands or stood in it. It draws what is
 * defined and reads what was recorded; it steps nothing.
 */
import { Option } from "commander"
import { z } from "zod"
import { StreamQuarantined } from "../../../store/errors.ts"
import type { Undecodable } from "../../../store/types.ts"
import { type Graph, graphOf, statesIn } from "../../diagram/graph.ts"
import { drawn, firstSentence, isLogged } from "../../diagram/machines.ts"
import { mermaidOf } from "../../diagram/mermaid.ts"
import { type Moment, momentOf } from "../../diagram/moment.ts"
import { markedSvg, readSvg } from "../../diagram/shipped.ts"
import type { Standing } from "../../diagram/standing.ts"
import { textOf } from "../../diagram/text.ts"
import { paletteOf } from "../colours.ts"
import { exitCodes } from "../exit-codes.ts"
import { common, examples, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import { parsePosition } from "../position.ts"
import { CliError } from "../problem.ts"
import type { Verb } from "../program.ts"
import { sessionRow, withReading } from "../reading.ts"

const options = common.extend({
  svg: z.boolean().default(false),
  mermaid: z.boolean().default(false),
  session: z.string().optional(),
  at: z.int().nonnegative().optional(),
})
type Options = z.infer<typeof options>

export const diagramVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("diagram")
    .summary("a machine, drawn, and where a session stands in it")
    .description(
      "Prints a machine: its states, what each takes, where that leads, what it asks for. Without a name: lists the machines. Only reads.",
    )
    .argument("[machine]", `${[...drawn.keys()].join(", ")}`)
    .addOption(new Option("--svg", "as a drawing").conflicts(["mermaid", "json"]))
    .addOption(new Option("--mermaid", "as Mermaid's stateDiagram-v2").conflicts("json"))
    .option("--session <id>", "mark where this session stands")
    .option("--at <position>", "mark where it stood after this position of the log", parsePosition)
  withCommon(command)
    .addHelpText(
      "after",
      examples(
        "diagram",
        "diagram run",
        "diagram turn --session 01k2...",
        "diagram run --session 01k2... --at 12 --svg > run.svg",
      ),
    )
    .action(async (machine: string | undefined, given: unknown) =>
      exit(await diagram(output, machine, options.parse(given))),
    )
}

async function diagram(output: Output, name: string | undefined, given: Options): Promise<number> {
  const { session, at, home } = given
  if (session === undefined && at !== undefined) throw new CliError("USAGE_AT")
  const known = name === undefined ? undefined : drawn.get(name)
  if (known === undefined && (name !== undefined || given.svg || given.mermaid))
    throw new CliError("USAGE_MACHINE", `${name ?? "none named"}; known: ${[...drawn.keys()].join(", ")}`)
  if (name !== undefined && session !== undefined && !isLogged(name))
    throw new CliError("USAGE_MACHINE_NOT_LOGGED", name)

  const moment =
    session === undefined
      ? null
      : await withReading(home, reading => momentOf(reading.store, sessionRow(reading, session).session, at))
  if (known === undefined) list(output, moment)
  else show(output, graphOf(known.definition), moment, given)
  return exitCodes.ok
}

function list(output: Output, moment: Moment | null): void {
  const { bold, cyan, dim, red } = paletteOf(process.stdout)
  const inMoment = (standing: Standing | Undecodable | undefined): string => {
    if (standing === undefined) return dim("not begun")
    if ("undecodable" in standing) return red(`cannot be read (${standing.code})`)
    return `${cyan(standing.state)}  ${dim(since(standing))}`
  }
  for (const [machine, { about }] of drawn) {
    if (moment !== null && !isLogged(machine)) continue
    const standing = moment?.standings.get(machine)
    output.record({ type: "machine", machine, about, marked: markedOf(moment, machine, standing) })
    output.text(`${bold(machine.padEnd(9))}${moment === null ? firstSentence(about) : inMoment(standing)}\n`)
  }
}

function show(output: Output, graph: Graph, moment: Moment | null, { svg, mermaid }: Options): void {
  const { machine, version, states, transitions } = graph
  const standing = moment === null ? undefined : standingIn(graph, moment)
  const marked = markedOf(moment, machine, standing)
  const here = standing === undefined ? [] : statesIn(machine, standing.state)
  if (svg) output.text(markedSvg(readSvg(machine), here))
  else if (mermaid) output.text(mermaidOf(graph, here))
  else {
    output.record({ type: "diagram", machine, version, states, transitions, marked })
    const remark = moment === null || standing === undefined ? "" : remarkOf(moment, standing)
    output.text(textOf(graph, { states: here, remark }, paletteOf(process.stdout)))
  }
}

function standingIn({ machine, states }: Graph, { session, at, standings }: Moment): Standing {
  const standing = standings.get(machine)
  if (standing === undefined) throw new CliError("USAGE_NOT_BEGUN", `${machine}, ${session}, position ${at}`)
  if ("undecodable" in standing)
    throw new StreamQuarantined(standing.stream, standing.position, standing.code)
  if (!statesIn(machine, standing.state).every(id => states.some(state => state.id === id)))
    throw new CliError("USAGE_STATE_NOT_DRAWN", standing.state)
  return standing
}

/** For `--json`; null where nothing is marked. */
function markedOf(moment: Moment | null, machine: string, standing: Standing | Undecodable | undefined) {
  if (moment === null || standing === undefined) return null
  const { session, at } = moment
  if ("undecodable" in standing) return { session, at, stream: standing.stream, code: standing.code }
  return { session, at, ...standing, states: statesIn(machine, standing.state) }
}

const since = ({ since: position, event }: Standing) => `since ${position} (${event})`
const remarkOf = ({ session, at, now }: Moment, standing: Standing) =>
  now
    ? `session ${session} is here ${since(standing)}`
    : `session ${session} was here at ${at}, ${since(standing)}`
