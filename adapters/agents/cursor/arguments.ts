/**
 * Which flags a host may add to Cursor's command line, which everybody on the machine can read: those that would
 * change the protocol, the folder, the conversation or the account are reserved (WT-07). Never put a
 * prompt or a secret here: prompts go to stdin, keys to the environment.
 */
import { refuse } from "../common/refusal.ts"

/** Flags whose value is what the run *is*; the adapter alone sets them. */
const reservedLong = new Set([
  ...["--print", "--output-format", "--stream-partial-output", "--show-thinking", "--single-turn"],
  ...["--resume", "--continue", "--new-session-id", "--name", "--cloud"],
  ...["--model", "--list-models", "--force", "--yolo", "--trust", "--approve-mcps", "--auto-review"],
  ...["--workspace", "--worktree", "--worktree-base", "--skip-worktree-setup"],
  ...["--api-key", "--auth-token", "--header", "--printenv", "--help", "--version", "--min-version"],
])
const reservedShort = new Set(["p", "f", "w", "c", "n", "H", "v", "h"])

/** Flags that take the next token; any other bare word would become a prompt or a subcommand. */
const takesValue = new Set([
  ...["--mode", "--sandbox", "--add-dir", "--plugin-dir", "--exclude-tools"],
  ...["--endpoint", "-e", "--agent-endpoint"],
])

/** Throws `RESERVED_FLAG` or `ARGUMENT_INVALID`. Checked once, when the adapter is made. */
export function checkExtraArgs(args: readonly string[]): readonly string[] {
  let valueExpected = false
  for (const arg of args) {
    if (arg === "" || /\p{Cc}/u.test(arg))
      throw invalid("An extra argument is empty or holds a control character.")
    const isFlag = arg.startsWith("-")
    if (!isFlag && !valueExpected) {
      throw invalid("An extra argument is a bare word, which would become the prompt; write --flag=value.")
    }
    if (isFlag && valueExpected) throw invalid("An extra argument lacks its value.")
    if (isFlag) checkFlag(arg)
    valueExpected = isFlag && takesValue.has(arg)
  }
  if (valueExpected) throw invalid("The last extra argument lacks its value.")
  return [...args]
}

function checkFlag(arg: string): void {
  const name = arg.split("=", 1)[0] ?? arg
  if (arg === "-" || arg === "--") throw invalid(`"${arg}" would end the flags.`)
  // `-pf` is `-p -f`: every letter of a cluster counts.
  const reserved = name.startsWith("--")
    ? reservedLong.has(name.toLowerCase())
    : name
        .slice(1)
        .split("")
        .some(letter => reservedShort.has(letter))
  if (reserved) throw refuse("RESERVED_FLAG", `${name} is set by Holdfast itself; remove it from extraArgs.`)
}

const invalid = (message: string) => refuse("ARGUMENT_INVALID", message)
