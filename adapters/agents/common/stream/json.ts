/**
 * From the text of one line to the records in it. A line is never changed unless it does not parse as it is:
 * escapes and a byte order mark are noise of terminals, and no legal JSON holds them unescaped.
 */
import { stripVTControlCharacters } from "node:util"

export type JsonRecord = Readonly<Record<string, unknown>>

export type ParsedLine =
  | { readonly kind: "records"; readonly records: readonly ProtocolRecord[] }
  /** Not of the protocol: a banner, a notice, or an agent that speaks plain text. */
  | { readonly kind: "text"; readonly text: string }
  /** Nothing but white space and escapes. */
  | { readonly kind: "blank" }

/** Anything that says its `type`. What else it has is checked where it is read. */
export interface ProtocolRecord extends JsonRecord {
  readonly type: string
}

export function parseLine(text: string): ParsedLine {
  const whole = recordsOf(text.trim())
  if (whole !== null) return { kind: "records", records: whole }
  const clean = stripVTControlCharacters(text).replace(/\r$/, "")
  if (clean.trim() === "") return { kind: "blank" }
  const records = clean === text ? null : recordsOf(clean.trim())
  return records === null ? { kind: "text", text: clean } : { kind: "records", records }
}

/** The records on a line that holds nothing else, or null. */
function recordsOf(text: string): readonly ProtocolRecord[] | null {
  if (!text.startsWith("{") || !text.endsWith("}")) return null
  const whole = parse(text)
  if (whole !== undefined) return isProtocolRecord(whole) ? [whole] : null
  const parts = splitObjects(text)?.map(parse)
  return parts?.every(isProtocolRecord) ? parts : null
}

/** Some builds put two objects on one line. One pass, aware of strings; null when anything lies between. */
function splitObjects(text: string): readonly string[] | null {
  const parts: string[] = []
  let depth = 0
  let start = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inString) {
      if (char === "\\") at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === "{") {
      if (depth === 0) start = at
      depth++
    } else if (char === "}") {
      depth--
      if (depth === 0) parts.push(text.slice(start, at + 1))
    } else if (depth === 0 && char?.trim() !== "") return null
    if (depth < 0) return null
  }
  return depth === 0 && parts.length > 1 ? parts : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isProtocolRecord(value: unknown): value is ProtocolRecord {
  return isRecord(value) && typeof value.type === "string"
}

/** A field that must be text to be of use; anything else counts as absent. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null
}

/** The first of these values that is text with something in it. */
export function firstText(...values: readonly unknown[]): string | null {
  for (const value of values) if (typeof value === "string" && value.trim() !== "") return value
  return null
}
