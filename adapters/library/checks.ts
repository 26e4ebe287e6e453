/** The front door's checks of what a caller gives. They only look; nothing is appended or changed here. */
import { realpathSync, statSync } from "node:fs"
import { type RunLimits, runLimits, sessionId } from "../../machines/words.ts"
import { Refusal } from "./errors.ts"

/** Longest prompt, in bytes of UTF-8: 8 MiB. A longer one is refused with `PROMPT_TOO_LARGE`. */
export const maxPromptBytes = 8 * 1024 * 1024

/** Milliseconds and bytes; each can be set per session. Sources: the design's run-folder protocol. */
export const defaultLimits: RunLimits = {
  firstOutputMs: 120_000,
  idleMs: 10 * 60_000,
  toolIdleMs: 60 * 60_000,
  totalMs: 24 * 60 * 60_000,
  resultGraceMs: 2_000,
  signalGraceMs: 3_000,
  unattendedMs: 15 * 60_000,
  maxSpoolBytes: 1024 * 1024 * 1024,
}

const zeroAllowed = new Set<string>(["resultGraceMs", "signalGraceMs"])

/** Also refuses 0, NaN, negative numbers and what a timer cannot hold (2^31 ms). */
export function checkLimits(given: Partial<RunLimits>): RunLimits {
  for (const [name, value] of Object.entries(given)) {
    const most = name === "maxSpoolBytes" ? Number.MAX_SAFE_INTEGER : 2 ** 31 - 1
    const least = zeroAllowed.has(name) ? 0 : 1
    if (!Number.isSafeInteger(value) || value < least || value > most)
      throw new Refusal("LIMIT_INVALID", `${name}: ${value}`)
  }
  const parsed = runLimits.safeParse({ ...defaultLimits, ...given })
  if (!parsed.success) throw new Refusal("LIMIT_INVALID", Object.keys(given).join(", "))
  return parsed.data
}

/** The bytes that the agent will read, exactly. */
export function promptBytes(prompt: string | Uint8Array): Uint8Array {
  if (typeof prompt === "string" && !prompt.isWellFormed()) throw new Refusal("PROMPT_NOT_UNICODE")
  const bytes = typeof prompt === "string" ? Buffer.from(prompt, "utf8") : Buffer.from(prompt)
  if (bytes.length > maxPromptBytes) throw new Refusal("PROMPT_TOO_LARGE", `${bytes.length} bytes`)
  if (/^\s*$/.test(bytes.toString("utf8"))) throw new Refusal("PROMPT_EMPTY")
  return bytes
}

/** The physical path, so that the session means the same folder whatever link led to it. */
export function checkCwd(cwd: string): string {
  try {
    const path = realpathSync(cwd)
    if (statSync(path).isDirectory()) return path
  } catch (cause) {
    throw new Refusal("CWD_MISSING", cwd, cause)
  }
  throw new Refusal("CWD_MISSING", cwd)
}

export function checkCommandId(id: string): string {
  if (!/^[\x20-\x7e]{1,200}$/.test(id)) throw new Refusal("ID_INVALID")
  return id
}

/** Narrower than other ids: a session's is also the name of a folder. */
export function checkSessionId(session: string): string {
  if (!sessionId.safeParse(session).success) throw new Refusal("SESSION_ID_INVALID")
  return session
}

export function checkModel(model: string): string {
  if (!/^(?!-)[^\s\p{Cc}]{1,128}$/u.test(model)) throw new Refusal("MODEL_INVALID")
  return model
}
