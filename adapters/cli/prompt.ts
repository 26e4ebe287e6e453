/**
 * The prompt: the argument, or stdin when the argument is `-` or missing while something is piped in. It reads no
 * more than can be sent, and lets the library judge what it is.
 */
import { maxPromptBytes, promptBytes } from "../library/checks.ts"
import { CliError } from "./problem.ts"

export async function readPrompt(argument: string | undefined): Promise<Uint8Array> {
  if (argument !== undefined && argument !== "-") return promptBytes(argument)
  if (argument === undefined && process.stdin.isTTY === true) throw new CliError("USAGE_PROMPT_MISSING")
  return promptBytes(await readStdin())
}

async function readStdin(): Promise<Uint8Array> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of process.stdin) {
      const bytes: Buffer = Buffer.from(part)
      parts.push(bytes)
      size += bytes.length
      if (size > maxPromptBytes) break // it is too large already, however much more there is
    }
  } catch (cause) {
    throw new CliError("USAGE_PROMPT_UNREADABLE", undefined, cause)
  }
  return Buffer.concat(parts)
}
