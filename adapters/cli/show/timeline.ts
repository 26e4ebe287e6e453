/** One event of the log as one line for a person. It knows no machine, and drops nothing. */
import type { EventRecord, Undecodable } from "../../../store/types.ts"
import type { Palette } from "../colours.ts"

export function timelineLine(event: EventRecord | Undecodable, { dim, cyan, red }: Palette): string {
  const position = String(event.position).padStart(5)
  if (event.undecodable) return `${position}  ${event.stream}  ${red(`cannot be read (${event.code})`)}`
  const time = new Date(event.at).toISOString().slice(0, 23).replace("T", " ")
  const change = event.from === event.to ? dim(event.to) : `${dim(event.from)} → ${cyan(event.to)}`
  const ignored = event.ignored ? dim(" (without effect)") : ""
  return `${position}  ${dim(time)}  ${event.stream.padEnd(36)}  ${event.type.padEnd(14)}  ${change}${ignored}`
}
