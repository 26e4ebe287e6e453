/**
 * Asks a program for its version, within a bound. The child sees no key: nobody needs one to say a version, and
 * a program found under a generic name has not yet shown who it is.
 */
import { execa } from "execa"

const answerLimitMs = 10_000
const maxAnswerChars = 4096

export type Version =
  | { readonly kind: "version"; readonly version: string }
  | { readonly kind: "timedOut" }
  | { readonly kind: "failed"; readonly code: string | null }

export async function readVersion(
  binary: string,
  leadingArgs: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Version> {
  const answer = await ask(binary, [...leadingArgs, "--version"], env)
  if (answer.kind !== "answered") return answer
  const version = answer.text.split("\n", 1)[0]?.trim().slice(0, 64) ?? ""
  if (version === "") return { kind: "failed", code: null }
  return { kind: "version", version }
}

export interface Answered {
  readonly kind: "answered"
  /** What it printed on stdout. */
  readonly text: string
  readonly exitCode: number | null
}
type Answer = Answered | Exclude<Version, { readonly kind: "version" }>

/** What a program answers, whatever its exit code says. */
export async function ask(
  binary: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Answer> {
  const result = await execa(binary, args, {
    env,
    extendEnv: false,
    stdin: "ignore",
    reject: false,
    timeout: answerLimitMs,
    forceKillAfterDelay: 1000,
    maxBuffer: maxAnswerChars,
    stripFinalNewline: true,
  })
  if (result.timedOut) return { kind: "timedOut" }
  // Never started: the exit code is missing, and the system's code says why.
  if (result.exitCode === undefined && !result.isMaxBuffer)
    return { kind: "failed", code: result.code ?? null }
  return { kind: "answered", text: result.stdout, exitCode: result.exitCode ?? null }
}
