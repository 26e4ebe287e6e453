/** Durations as people write them (`90`, `90s`, `5m`, `1.5h`, `500ms`), and as people read them. No clock here. */
import { InvalidArgumentError } from "commander"

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** Milliseconds; a bare number means seconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text)
  const ms = Math.round(Number(match?.[1]) * (units[match?.[2] ?? "s"] ?? 0))
  if (match === null || ms < 1 || ms > 2 ** 31 - 1)
    throw new InvalidArgumentError("Write it as 90s, 5m, 1h or 500ms; at most 24 days.")
  return ms
}

export function formatDuration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  return seconds < 3_600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
}
