/**
 * The lines of an exported log: one that says what it is, one for each event, one with the head. Whoever has the
 * file alone can check it. The recipe: an event's `hash` is the SHA-256 of the JSON text, without spaces, of the
 * array of its values in the order of the first line's `columns`, `hash` itself left out; `prev` is the `hash` of
 * the event before, and 64 zeros in the first.
 */
import type { MachineDefinition } from "../../../machines/kernel.ts"
import { columns, type RawRow } from "../../../store/chain.ts"
import type { Head } from "../../../store/types.ts"

/** Of the lines; grows when a reader of the old ones could misread the new ones. */
export const format = 1

export const exportRecord = (
  definitions: Readonly<Record<string, MachineDefinition>>,
  session: string | undefined,
) => ({
  type: "export",
  format,
  columns,
  /** Versions of the machines that a replay needs now; each event names its own. */
  machines: Object.fromEntries(Object.values(definitions).map(({ name, version }) => [name, version])),
  session: session ?? null,
})

/** The row as it is stored: no text of a prompt or reply is in it. */
export const eventRecord = (row: RawRow) => ({ type: "event", row })

export interface HeadRecord extends Head {
  readonly type: "head"
  /** How many events the export holds. */
  readonly events: number
  readonly exportedAt: string
}
export const headRecord = (head: Head, events: number): HeadRecord => ({
  type: "head",
  ...head,
  events,
  exportedAt: new Date().toISOString(),
})
