/**
 * From the words of a command line to an exit code. Every error of every verb ends here: said once, on stderr or
 * as a JSON line, with its code and the next step.
 */
import { CommanderError } from "commander"
import { paletteOf } from "./colours.ts"
import { exitCodes } from "./exit-codes.ts"
import { type Output, openOutput } from "./output.ts"
import { problemOf } from "./problem.ts"
import { programFor } from "./program.ts"

export async function main(words: readonly string[]): Promise<void> {
  const ownWords = words.includes("--") ? words.slice(0, words.indexOf("--")) : words
  const output = openOutput(ownWords.includes("--json"))
  const code = await perform(words, output)
  await output.flushed()
  process.exit(code)
}

/** Never rejects. */
export async function perform(words: readonly string[], output: Output): Promise<number> {
  let code: number = exitCodes.ok
  const exit = (given: number) => {
    code = given
  }
  try {
    const program = await programFor(words, { output, exit })
    await program.parseAsync(words, { from: "user" })
    return code
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok // help, version
    const { code: problem, message, retryable, exit: failed } = problemOf(error)
    output.record({ type: "error", code: problem, message, retryable })
    output.note(`${paletteOf(process.stderr).red(problem)}: ${message}`)
    return failed
  }
}
