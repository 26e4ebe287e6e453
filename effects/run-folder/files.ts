/**
 * The small text files of a run folder: their names, their text, and how each is parsed. `key=value` lines, each
 * ended by a newline; the launcher writes the same format. No file is opened here. A file without its final
 * newline, or one that does not parse, does not exist: the result is null.
 */
import { z } from "zod"
import { type StartFailure, startFailure } from "../../machines/folder-table.ts"
import { type ProcessIdentity, processIdentity } from "../../machines/words.ts"

export type Claim =
  | { readonly by: "launcher"; readonly identity: ProcessIdentity }
  /** A tombstone: the run never starts. */
  | { readonly by: "host" }

export interface Exit {
  /** What `sh` saw: 128 + n for signal n. */
  readonly status: number
  /** Not null: the agent was never started, and this is why. */
  readonly failure: StartFailure | null
}

export const endReason = z.enum(["unattended", "spoolLimit"])
export interface RunEnded {
  readonly reason: z.infer<typeof endReason>
}

const limits = {
  /** Counted by the launcher while its owner is dead. */
  unattendedLimitMs: z.int().positive(),
  /** Of stdout and stderr together. */
  maxSpoolBytes: z.int().positive(),
  /** Between TERM and KILL when the launcher ends the agent. */
  endGraceMs: z.int().positive(),
  /** How often the watchdog looks. */
  tickMs: z.int().positive(),
}

/** Whatever it contains, except what no path can contain. */
const absolute = z.string().regex(/^\/[^\0]*$/)

/** What to start. No secret: the environment comes with the launch. Paths are absolute; any characters. */
export const runSpec = z.strictObject({
  binary: absolute,
  args: z.array(z.string().regex(/^[^\0]*$/)),
  cwd: absolute,
  ...limits,
})
export type RunSpec = z.infer<typeof runSpec>

export const defaultLimits = {
  unattendedLimitMs: 15 * 60_000,
  maxSpoolBytes: 1024 * 1024 * 1024,
  endGraceMs: 5_000,
  tickMs: 1_000,
} as const satisfies Partial<RunSpec>

const storedSpec = runSpec.extend({ promptSha256: z.string().regex(/^[0-9a-f]{64}$/) })
export type StoredSpec = z.infer<typeof storedSpec>

/** Values that may hold any character are JSON strings, which have no newline. */
export function formatSpec(spec: StoredSpec): string {
  return lines([
    ["promptSha256", spec.promptSha256],
    ["binary", JSON.stringify(spec.binary)],
    ["cwd", JSON.stringify(spec.cwd)],
    ...spec.args.map(arg => ["arg", JSON.stringify(arg)] as const),
    ...Object.keys(limits).map(key => [key, String(spec[key as keyof typeof limits])] as const),
  ])
}

export function parseSpec(text: string): StoredSpec | null {
  const pairs = entries(text)
  if (pairs === null) return null
  const value = (name: string) => pairs.find(([key]) => key === name)?.[1] ?? ""
  const parsed = storedSpec.safeParse({
    promptSha256: value("promptSha256"),
    binary: unquote(value("binary")),
    cwd: unquote(value("cwd")),
    args: pairs.filter(([key]) => key === "arg").map(([, text]) => unquote(text)),
    ...Object.fromEntries(Object.keys(limits).map(key => [key, Number(value(key))])),
  })
  return parsed.data ?? null
}

export function formatIdentity({ pid, start, boot, namespace, host }: ProcessIdentity): string {
  return lines(Object.entries({ pid, start, boot, namespace, host }).map(([key, v]) => [key, String(v)]))
}

export function parseIdentity(text: string): ProcessIdentity | null {
  const found = fields(text)
  return found === null
    ? null
    : (processIdentity.safeParse({ ...found, pid: Number(found.pid) }).data ?? null)
}

export const TOMBSTONE = "by=host\n"

export function parseClaim(text: string): Claim | null {
  const found = fields(text)
  if (found?.by === "host") return { by: "host" }
  if (found?.by !== "launcher") return null
  const { by, ...rest } = found
  const identity = processIdentity.safeParse({ ...rest, pid: Number(rest.pid) }).data
  return identity === undefined ? null : { by, identity }
}

export function parseExit(text: string): Exit | null {
  const found = fields(text)
  if (found === null || !/^\d{1,3}$/.test(found.status ?? "")) return null
  return { status: Number(found.status), failure: startFailure.safeParse(found.failure).data ?? null }
}

export function parseEnded(text: string): RunEnded | null {
  const reason = endReason.safeParse(fields(text)?.reason)
  return reason.success ? { reason: reason.data } : null
}

function lines(pairs: ReadonlyArray<readonly [string, string]>): string {
  return pairs.map(([key, value]) => `${key}=${value}\n`).join("")
}

function entries(text: string): ReadonlyArray<readonly [string, string]> | null {
  if (!text.endsWith("\n")) return null
  return text
    .slice(0, -1)
    .split("\n")
    .map(line => [line.slice(0, Math.max(0, line.indexOf("="))), line.slice(line.indexOf("=") + 1)] as const)
}

function fields(text: string): Readonly<Record<string, string | undefined>> | null {
  const pairs = entries(text)
  return pairs === null ? null : Object.fromEntries(pairs)
}

function unquote(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
