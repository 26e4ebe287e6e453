/**
 * One stored event against the state before it: what it brings about, or why it contradicts its row. Pure; the
 * rows are read by `load.ts` (one stream, to go on) and `fold.ts` (the whole log, to rebuild or verify).
 */
import { type Snapshot, step } from "../machines/kernel.ts"
import type { EventRow } from "./chain.ts"
import { migrated } from "./decode.ts"
import { migration, type Outcome } from "./derive.ts"
import type { Definitions } from "./types.ts"

/** Where a replay of one stream stands. */
export interface Progress {
  readonly version: number
  readonly machineVersion: number
  /** The recorded state after the latest event; null before the first. */
  readonly state: string | null
  /** Null before the first event, and where only columns are known (`blind`). */
  readonly snapshot: Snapshot | null
  /** Events of an older machine version were passed; the next migration gives sight again. */
  readonly blind: boolean
}
export const start: Progress = { version: 0, machineVersion: 0, state: null, snapshot: null, blind: false }

export type Replayed =
  | { readonly ok: true; readonly outcome: Outcome; readonly progress: Progress }
  | { readonly ok: false; readonly reason: string }

export function replayRow(
  definitions: Definitions,
  before: Progress,
  row: EventRow,
  data: Readonly<Record<string, unknown>>,
): Replayed {
  const differs = (reason: string): Replayed => ({ ok: false, reason })
  if (row.version !== before.version + 1) return differs("VERSION_GAP")
  if (before.state !== null && before.state !== row.from_state) return differs("FROM_DIFFERS")
  const definition = definitions[row.machine]
  if (definition === undefined) return differs("UNKNOWN_MACHINE")
  const at = { version: row.version, machineVersion: row.machine_version, state: row.to_state }

  if (row.type === migrated) {
    const carried = migration.safeParse(data)
    if (!carried.success) return differs("INVALID_DATA")
    if (carried.data.snapshot.value !== row.to_state) return differs("TO_DIFFERS")
    const sighted = row.machine_version === definition.version
    const snapshot = sighted ? carried.data.snapshot : null
    return {
      ok: true,
      outcome: { migration: carried.data, snapshot },
      progress: { ...at, snapshot, blind: !sighted },
    }
  }
  if (row.machine_version < definition.version)
    return { ok: true, outcome: null, progress: { ...at, snapshot: null, blind: true } }
  if (before.blind) return differs("NOT_MIGRATED")

  let result: ReturnType<typeof step>
  try {
    result = step(definition, before.snapshot, { type: row.type, ...data })
  } catch {
    return differs("STEP_FAILED")
  }
  if (result.rejected) return differs("STEP_REJECTED")
  if (result.from !== row.from_state) return differs("FROM_DIFFERS")
  if (result.to !== row.to_state) return differs("TO_DIFFERS")
  if (Number(result.ignored) !== row.ignored) return differs("IGNORED_DIFFERS")
  return { ok: true, outcome: result, progress: { ...at, snapshot: result.snapshot, blind: false } }
}
