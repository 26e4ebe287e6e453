/**
 * `doctor`: what this machine, the state folder and the agents need, one finding a line. It changes nothing, and
 * tells no value of any variable.
 */
import { Option } from "commander"
import { z } from "zod"
import { StateFolderRefused } from "../../../store/errors.ts"
import { stateFolder } from "../../library/state-folder.ts"
import { agentNames, allAgents } from "../agents.ts"
import { type Palette, paletteOf } from "../colours.ts"
import { agentFindings } from "../doctor/agents.ts"
import { broken, type Finding } from "../doctor/finding.ts"
import { folderFindings } from "../doctor/folder.ts"
import { logFindings } from "../doctor/log.ts"
import { machineFindings } from "../doctor/machine.ts"
import { surroundings, survival } from "../doctor/survival.ts"
import { exitCodes } from "../exit-codes.ts"
import { common, examples, withCommon } from "../options.ts"
import type { Output } from "../output.ts"
import { problemOf } from "../problem.ts"
import type { Verb } from "../program.ts"
import { withReading } from "../reading.ts"

const options = common.extend({ agent: z.enum(agentNames).optional() })

export const doctorVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("doctor")
    .summary("whether everything that is needed is there")
    .description(
      "Looks at this machine, the state folder and the agents, and names the next step where something is missing. Ends with 1 when something that is needed is broken; an agent that no session uses is not needed. Changes nothing.",
    )
    .addOption(new Option("--agent <name>", "only this agent, which is needed then").choices(agentNames))
  withCommon(command)
    .addHelpText("after", examples("doctor", "doctor --agent cursor", "doctor --json"))
    .action(async (given: unknown) => exit(await doctor(output, options.parse(given))))
}

async function doctor(output: Output, { home, agent }: z.infer<typeof options>): Promise<number> {
  const state = await lookAtState(home)
  const agents = [...allAgents().values()].filter(({ name }) => agent === undefined || name === agent)
  const findings = [
    ...machineFindings(),
    ...survival(surroundings(process.env)),
    ...state.findings,
    ...(await agentFindings({
      agents,
      isNeeded: name => name === agent || state.used.has(name),
      env: process.env,
    })),
  ]
  const paint = paletteOf(process.stdout)
  for (const finding of findings) tell(output, finding, paint)
  const count = (level: Finding["level"]) => findings.filter(finding => finding.level === level).length
  const [wrong, warnings] = [count("broken"), count("warning")]
  output.record({ type: "doctor", ok: wrong === 0, broken: wrong, warnings })
  output.text(
    wrong === 0
      ? `\nEverything that is needed works${warnings === 0 ? "" : `; ${warnings} to look at`}.\n`
      : `\n${wrong} broken, ${warnings} to look at.\n`,
  )
  return wrong === 0 ? exitCodes.ok : exitCodes.failed
}

interface State {
  readonly findings: readonly Finding[]
  /** Agents of sessions that may go on. */
  readonly used: ReadonlySet<string>
}

async function lookAtState(home: string | undefined): Promise<State> {
  const folder = stateFolder(process.env, home)
  try {
    return await withReading(home, reading => {
      const going = reading.store
        .sessions()
        .filter(row => !row.undecodable && row.state !== "disposed" && row.state !== "archived")
      const used = new Set(going.flatMap(row => (row.undecodable ? [] : row.agent)))
      return { findings: [...folderFindings(folder, null), ...logFindings(reading)], used }
    })
  } catch (error) {
    const used = new Set<string>()
    if (error instanceof StateFolderRefused) return { findings: folderFindings(folder, error), used }
    const { code, message } = problemOf(error)
    return { findings: [broken(code, message)], used }
  }
}

function tell(output: Output, finding: Finding, { green, yellow, red, dim }: Palette): void {
  const { code, level, message } = finding
  output.record({ type: "finding", ...finding })
  const mark = { fine: green("✓"), warning: yellow("!"), broken: red("✗") }[level]
  output.text(`${mark} ${message} ${level === "fine" ? dim(`(${code})`) : `(${code})`}\n`)
}
