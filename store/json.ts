/**
 * How values become stored text. Everything that is hashed is ASCII, so that no two different byte strings in
 * the file can decode to the same text; nothing else may serialise what goes into a column.
 */

/** JSON whose non-ASCII characters are escaped; parses back to the same value. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

/** The same text for the same content, whatever the order of its keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** A JSON object, or null for anything else. Never throws. */
export function parseObject(text: unknown): Readonly<Record<string, unknown>> | null {
  const value = typeof text === "string" ? parseJson(text) : null
  return isObject(value) ? value : null
}

/** Null for what is no JSON. Never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
