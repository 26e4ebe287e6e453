/**
 * How a row of the failure table finds its words. Numbers such as 429 count only where a status is meant: they
 * are everywhere in token counts, durations and diffs (FB-05).
 */
const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Whole words, in any case, with any white space between them. */
export function phrase(words: string): RegExp {
  const body = words.trim().split(/\s+/).map(literally).join("\\s+")
  return new RegExp(`(?<![\\p{L}\\p{N}_])${body}(?![\\p{L}\\p{N}_])`, "iu")
}

/** `HTTP 429`, `status: 429`, `Error 429`, `(429)`, or a line that begins with it; never `14290` or `429 ms`. */
export function httpStatus(code: number): RegExp {
  const said = `\\b(?:https?(?:\\/\\d(?:\\.\\d)?)?|status|status[ _-]?code|statuscode|code|error)["']?\\s*[:=]?\\s*${code}`
  const alone = `^\\s*${code}(?=\\s*(?:$|:|[a-z]{4}))|[([]${code}[)\\]]`
  return new RegExp(`(?:${said}|${alone})(?!\\w|\\.\\d|\\s*ms\\b)`, "im")
}

/** A pattern of a host may carry flags that remember where it was; ours never do. */
export function matcher(when: string | RegExp): RegExp {
  if (typeof when === "string") return phrase(when)
  const flags = new Set(when.flags.replace(/[gy]/g, ""))
  return new RegExp(when.source, [...flags.add("i")].join(""))
}
