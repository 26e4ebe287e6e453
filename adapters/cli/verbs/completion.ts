/** `completion`: a script that teaches a shell to complete the command, and the answers that the script asks for. */
import { basename } from "node:path"
import { type Command, Option } from "commander"
import { z } from "zod"
import { definitions } from "../../../machines/index.ts"
import { openStore } from "../../../store/index.ts"
import { stateFolder } from "../../library/state-folder.ts"
import { type Candidate, candidates } from "../completion/candidates.ts"
import { type Shell, scripts, shells } from "../completion/scripts.ts"
import { exitCodes } from "../exit-codes.ts"
import { examples } from "../options.ts"
import type { Output } from "../output.ts"
import { CliError } from "../problem.ts"
import type { Cli, Verb } from "../program.ts"

const options = z.object({ complete: z.boolean().default(false) })

export const completionVerb: Verb = (program, { output, exit, load }) => {
  program
    .command("completion")
    .summary("a script that completes words in your shell")
    .description(
      "Prints a script for bash, zsh or fish that completes verbs, flags, agents and sessions. In ~/.bashrc or ~/.zshrc: eval \"$(holdfast completion bash)\", with the shell's name; in fish's config: holdfast completion fish | source.",
    )
    .argument("[shell]", "bash, zsh or fish (default: that of $SHELL)")
    .addOption(new Option("--complete", "what may come next; asked by the script").hideHelp())
    .allowExcessArguments() // of those that are to be completed
    .addHelpText("after", examples("completion bash", "completion zsh", "completion fish"))
    .action(async (shell: string | undefined, given: unknown, command: Command) => {
      if (options.parse(given).complete) await complete(output, command.args, load)
      else output.text(scripts[shellOf(shell ?? basename(process.env.SHELL ?? ""))])
      exit(exitCodes.ok)
    })
}

function shellOf(name: string): Shell {
  const shell = shells.find(known => known === name)
  if (shell === undefined) throw new CliError("USAGE_SHELL", name === "" ? undefined : name)
  return shell
}

async function complete(output: Output, words: readonly string[], load: Cli["load"]): Promise<void> {
  const [verb] = words.slice(0, -1).filter(word => !word.startsWith("-"))
  const program = await load(verb === undefined ? [] : [verb])
  const found = candidates(program, words, { sessions: () => sessions(words), shells })
  if (found === "files") return output.text(":files\n")
  for (const { value, description } of found) output.text(`${value}\t${description.replace(/\s+/g, " ")}\n`)
}

/** None where the log cannot be read: nobody could be told in the middle of a line. */
function sessions(words: readonly string[]): readonly Candidate[] {
  const home = words.includes("--home") ? words[words.indexOf("--home") + 1] : undefined
  try {
    const store = openStore({ folder: stateFolder(process.env, home), definitions, mode: "read" })
    try {
      return store
        .sessions()
        .flatMap(row =>
          row.undecodable
            ? []
            : { value: row.session, description: `${row.agent}, ${row.state}, ${row.cwd}` },
        )
    } finally {
      store.close()
    }
  } catch {
    return []
  }
}
