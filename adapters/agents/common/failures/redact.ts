/**
 * Text of an agent's errors, made fit for a person's eyes (AU-05): no key, token, password or address is left.
 * It errs on the side of taking out too much. Not for logs: error prose is in none of them at all.
 */
const mark = "[redacted]"

const secrets: readonly (readonly [RegExp, string])[] = [
  [/\b(https?:\/\/)[^\s/@]+@/gi, `$1${mark}@`],
  [/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, mark],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${mark}`],
  [
    /\b((?:[\w-]*(?:api[-_ ]?key|secret|token|passw(?:or)?d|authorization))["']?\s*[:=]\s*["']?)[^\s"',;]+/gi,
    `$1${mark}`,
  ],
  // Keys that say what they are by their beginning, and JSON web tokens.
  [/\b(?:key|sk|pk|rk|crsr|cursor|ghp|gho|ghs|github_pat|xox[a-z]|AKIA|AIza)[-_]?[\w-]{16,}/g, mark],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, mark],
  // Long runs of letters with digits; ids of 36 characters with their dashes stay readable.
  [/\b(?=[A-Za-z0-9+/_]*\d)(?=[A-Za-z0-9+/_]*[A-Za-z])[A-Za-z0-9+/_]{32,}={0,2}/g, mark],
]

export function redact(text: string): string {
  return secrets.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text)
}

const maxExcerptChars = 240

/** The first line that says something, redacted and short; null when there is none. */
export function excerpt(text: string): string | null {
  const line = text.split("\n").find(candidate => /\p{L}/u.test(candidate))
  if (line === undefined) return null
  // Redacted before it is cut: half a key would not be recognised. Far more than shown is never looked at.
  const clean = redact(line.slice(0, 4096))
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
  return clean.length > maxExcerptChars ? `${clean.slice(0, maxExcerptChars - 1)}…` : clean
}
