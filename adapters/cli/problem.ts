/**
 * Whatever was thrown, as what the command says about it: a code, a sentence with the next step, whether the same
 * again may work, and the exit code. It prints nothing.
 */
import { CommanderError } from "commander"
import { ZodError } from "zod"
import { exitCodes, exitOfCode } from "./exit-codes.ts"

export interface Problem {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly exit: number
}

const reasons = {
  USAGE_PROMPT_MISSING: "There is no prompt. Give one in quotes, or `-` and the text on stdin",
  USAGE_PROMPT_UNREADABLE: "The prompt on stdin could not be read. Check what is piped in",
  USAGE_BIN: "There is no other program to choose for this agent; leave `--bin` out",
  USAGE_HEAD:
    "A head is `position:hash`, or a file that holds one: an export, its last line, or what `holdfast verify` prints",
  USAGE_POSITION: "The log does not reach that far. Name a position of it, or leave `--at` out",
  USAGE_OUT: "The file cannot be written. Choose another one",
  USAGE_OUT_EXISTS: "There is such a file already. Choose another name, or say `--force`",
  USAGE_CONFIRM: "Erasing cannot be undone, and nobody is here to be asked. Say `--yes`",
  USAGE_SHELL: "Name the shell: bash, zsh or fish",
  USAGE_MACHINE: "Name one machine to draw; `holdfast diagram` lists them",
  USAGE_MACHINE_NOT_LOGGED:
    "The log has nothing of this machine, so no session stands in it. Leave `--session` out",
  USAGE_AT: "`--at` is a moment of a session. Say which one with `--session`",
  USAGE_NOT_BEGUN:
    "Nothing of this machine had happened in the session by then. See `holdfast log <session>` for what happened when",
  USAGE_STATE_NOT_DRAWN:
    "The machine of this version has no such state. Use the version that wrote it, or name a later position",
  USAGE_SESSION: "Name one session, as an argument or with `--session`",
  USAGE_VERB: "There is no such verb. See `holdfast --help`",
  HOST_LIVE: "A host is at work on this state folder. Close it, or wait until it is done, then try again",
  LOG_DAMAGED: "The log is not what was written. Run `holdfast verify` to see where",
  SESSION_PAUSED:
    "Nothing was sent, since the session is paused. Look at what its last turn left behind, then say it again with " +
    "`--resume`",
  TURN_BLOCKED:
    "The turn waits, because the agent cannot be started here: its key, program or folder is missing. " +
    "Put it right, then run any verb that opens a host, such as `holdfast send`",
  ERASE_DECLINED: "Nothing was erased",
  DEMO_FAILED: "The demo found something that is not as Holdfast promises",
} as const

/** What the command itself refuses, beside what the library and the store refuse. */
export class CliError extends Error {
  readonly code: keyof typeof reasons
  readonly retryable: boolean = false
  constructor(code: keyof typeof reasons, detail?: string, cause?: unknown) {
    super(`${reasons[code]}${detail === undefined ? "" : ` (${detail})`}.`, { cause })
    this.name = "CliError"
    this.code = code
  }
}

export function problemOf(error: unknown): Problem {
  if (error instanceof CommanderError) {
    const message = `${usage(error)} See \`holdfast --help\`.`
    return { code: "USAGE", message, retryable: false, exit: exitCodes.usage }
  }
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    const retryable = "retryable" in error && error.retryable === true
    return { code: error.code, message: error.message, retryable, exit: exitOfCode(error.code) }
  }
  if (error instanceof ZodError) {
    const message =
      "What is derived from the log cannot be read. Run `holdfast verify` to see what it is, then `holdfast rebuild`."
    return { code: "DERIVED_UNREADABLE", message, retryable: false, exit: exitCodes.failed }
  }
  const message = error instanceof Error ? error.message : String(error)
  return {
    code: "UNEXPECTED",
    message: `${message}. Nothing durable is lost; report this with \`HOLDFAST_LOG=debug\`.`,
    retryable: false,
    exit: exitCodes.failed,
  }
}

function usage({ code, message }: CommanderError): string {
  if (code === "commander.help") return "Name a verb."
  const sentence = message.replace(/^error: /, "").replace(/^./, first => first.toUpperCase())
  return sentence.replace(/\s*\n\s*/g, " ").replace(/[^.?!)]$/, "$&.")
}
