/**
 * Windows: the CLI is a `.cmd` shim, which only cmd can start, and a process tree is ended by taskkill. Pure
 * functions with tests, never tried on a real Windows. What cmd would interpret is refused, not escaped: a shim
 * expands its arguments a second time, and no escape survives that.
 */
import type { Invocation } from "../../../effects/agent.ts"
import { refuse } from "./refusal.ts"

export const isShim = (binary: string): boolean => /\.(?:cmd|bat)$/i.test(binary)

/** Variables, redirections, pipes, carets and quotes; line ends would start another command. */
const interpreted = /["%!^&|<>\p{Cc}]/u

/** Throws `ARGUMENT_UNSAFE`. `comSpec` is the path of cmd itself. */
export function throughCmd(shim: Invocation, comSpec: string): Invocation {
  const words = [shim.binary, ...shim.args].map(quoted)
  // `/s` takes off exactly the outer quotes and leaves the rest as it is, spaces in the path included.
  return { ...shim, binary: comSpec, args: ["/d", "/s", "/c", `"${words.join(" ")}"`], verbatim: true }
}

function quoted(word: string): string {
  if (interpreted.test(word)) {
    throw refuse(
      "ARGUMENT_UNSAFE",
      "cmd would interpret a character of the path or of an argument; rename it.",
    )
  }
  // A backslash before the closing quote would escape it for the program that parses the line.
  return `"${word.replace(/\\+$/, "$&$&")}"`
}

/** Ends a process and what it started. Identity is to be verified by whoever runs this. */
export function treeKill(pid: number): { readonly binary: string; readonly args: readonly string[] } {
  if (!Number.isSafeInteger(pid) || pid <= 0) throw refuse("PID_INVALID", "A pid is a positive integer.")
  return { binary: "taskkill", args: ["/PID", String(pid), "/T", "/F"] }
}
