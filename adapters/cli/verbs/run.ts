/** `run`: a new session and its first turn, to the end. Nothing is appended before the input is known to be good. */
import { Option } from "commander"
import { z } from "zod"
import { checkCwd, checkModel } from "../../library/checks.ts"
import { stateFolder } from "../../library/state-folder.ts"
import { agentNamed, agentNames, checkReady } from "../agents.ts"
import { drive } from "../drive.ts"
import { withHost } from "../hosting.ts"
import {
  binOption,
  common,
  examples,
  goOnWith,
  limits,
  runLimits,
  withCommon,
  withLimits,
} from "../options.ts"
import type { Output } from "../output.ts"
import type { Verb } from "../program.ts"
import { readPrompt } from "../prompt.ts"
import { viewOn } from "../show/view.ts"

const options = common.extend(limits.shape).extend({
  agent: z.enum(agentNames),
  cwd: z.string(),
  model: z.string().optional(),
  session: z.string().optional(),
  bin: z.string().optional(),
})

export const runVerb: Verb = (program, { output, exit }) => {
  const command = program
    .command("run")
    .summary("a new session, one turn")
    .description("Starts a session and gives it its first prompt; streams what the agent does until it ends.")
    .argument("[prompt]", "what is to be done; `-`, or nothing when something is piped in, reads stdin")
    .addOption(
      new Option("--agent <name>", "who does it; `rehearsal` needs no key")
        .choices(agentNames)
        .default("cursor"),
    )
    .option("--cwd <folder>", "where it is done", ".")
    .option("--model <id>", "the agent's model")
    .option("--session <id>", "an id of your choice for the session")
    .option(...binOption)
  withCommon(withLimits(command))
    .addHelpText(
      "after",
      examples(
        'run "Fix the failing test"',
        'run --agent rehearsal "Show me how it works"',
        "git diff | holdfast run - --json",
      ).replace("$ holdfast git diff", "$ git diff"),
    )
    .action(async (prompt: string | undefined, given: unknown) =>
      exit(await run(output, prompt, options.parse(given))),
    )
}

async function run(
  output: Output,
  argument: string | undefined,
  given: z.infer<typeof options>,
): Promise<number> {
  const prompt = await readPrompt(argument)
  const adapter = agentNamed(given.agent, given.bin)
  const cwd = checkCwd(given.cwd)
  const model = checkModel(given.model ?? adapter.defaultModel)
  await checkReady(adapter)

  const home = stateFolder(process.env, given.home)
  const view = viewOn(output, { live: true, goOn: goOnWith(given.home) })
  return withHost(adapter, home, async (host, interrupts) => {
    const session = await host.launch({
      cwd,
      model,
      limits: runLimits(given),
      ...(given.session !== undefined && { id: given.session }),
    })
    view.session({ session: session.id, agent: adapter.name, cwd, model, home })
    return drive({ session, turn: session.send(prompt), folder: home, view, output, interrupts })
  })
}
