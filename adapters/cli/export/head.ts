/**
 * A head that was kept elsewhere, in any of the forms in which it is handed out: `position:hash`, or a file whose
 * last line is that, an export's head, or what `verify --json` printed. It reads a file's end, and judges nothing.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs"
import { z } from "zod"
import type { Head } from "../../../store/types.ts"
import { CliError } from "../problem.ts"

/** Far more than the line of a head, or of an event, can have. */
const maxLineBytes = 64 * 1024

const head = z.looseObject({
  type: z.literal("head").optional(),
  position: z.int().nonnegative(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})
const verified = z.looseObject({ type: z.literal("verified"), head: z.string() })

export function readHead(given: string): Head {
  return headIn(given) ?? headOf(lastLine(given), given)
}

function headIn(text: string): Head | null {
  const [, number, digest] = /^(?:head )?(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? []
  return number === undefined || digest === undefined ? null : { position: Number(number), hash: digest }
}

function headOf(line: string, file: string): Head {
  const json = parsed(line)
  const printed = verified.safeParse(json)
  const plain = headIn(printed.success ? printed.data.head : line)
  if (plain !== null) return plain
  const exported = head.safeParse(json)
  if (exported.success) return { position: exported.data.position, hash: exported.data.hash }
  const cutOff = z.looseObject({ type: z.enum(["export", "event"]) }).safeParse(json).success
  throw new CliError("USAGE_HEAD", cutOff ? `${file} is an export that ends before its head` : file)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null // then it is not a head in JSON either
  }
}

function lastLine(path: string): string {
  try {
    const file = openSync(path, "r")
    try {
      return endOf(file).toString("latin1").trimEnd().split("\n").at(-1) ?? ""
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
    throw new CliError("USAGE_HEAD", `${path}: ${code}`, cause)
  }
}

function endOf(file: number): Buffer {
  const stats = fstatSync(file)
  if (!stats.isFile()) return readFileSync(file) // a pipe, such as one from a program that checks a signature
  const bytes = Buffer.alloc(Math.min(stats.size, maxLineBytes))
  readSync(file, bytes, 0, bytes.length, stats.size - bytes.length)
  return bytes
}
