/**
 * How long the service asks to wait (FB-02): `retry-after: 30`, `try again in 5 minutes`. Only durations; a date
 * would need a clock, and nothing here has one.
 */
const said =
  /\b(?:retry[- _]after|(?:try again|retry|retrying) (?:in|after))["']?\s*[:=]?\s*["']?(\d{1,6}(?:\.\d{1,3})?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)?(?!\w|\.\d)/i

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, s: 1000, ms: 1 }

/** In ms, at most a day; a number without a unit is seconds, as in HTTP. Null when nothing was asked. */
export function retryAfter(text: string): number | null {
  const match = said.exec(text)
  if (match === null) return null
  const unit = (match[2] ?? "s").toLowerCase()
  const factor = unitMs[/^m(?:s$|illi)/.test(unit) ? "ms" : unit.charAt(0)] ?? 1000
  return Math.min(Math.round(Number(match[1]) * factor), 86_400_000)
}
