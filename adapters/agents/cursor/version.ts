/**
 * Asks a program for its version, within a bound. The child sees no key: nobody needs one to say a version, and
 * a program found under a generic name has not yet shown who it is.
 */
import { execa } from "execa"

const answerLimitMs = 10_000
const maxAnswerChars = 4096

/** Cursor's CLI says a date and a commit, and nothing else. */
const cursorVersion = /^v?\d{4}\.\d{2}\.\d{2}(?:-\d{2}-\d{2}-\d{2})?-[0-9a-f]{7,40}$/

export type Version =
  | { readonly kind: "version"; readonly version: string; readonly isCursor: boolean }
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
  return { kind: "version", version, isCursor: cursorVersion.test(version) }
}

type Answer =
  | { readonly kind: "answered"; readonly text: string }
  | Exclude<Version, { readonly kind: "version" }>

/** What a program prints on stdout, whatever its exit code says: `status` exits with 0 when nobody is logged in. */
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
  return { kind: "answered", text: result.stdout }
}
