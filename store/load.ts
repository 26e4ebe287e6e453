/**
 * The state that the next input of a stream is stepped against. Caches may make this quick, but the log decides:
 * before this process builds upon a state for the first time, the log's tail has confirmed it. Writes nothing.
 */
import type { Snapshot } from "../machines/kernel.ts"
import { idOf, machineOf } from "../machines/words.ts"
import { type RawRow, selectColumns } from "./chain.ts"
import type { Db } from "./database.ts"
import { decode } from "./decode.ts"
import type { Tables } from "./derive.ts"
import { StreamQuarantined } from "./errors.ts"
import { type Progress, replayRow, start } from "./replay.ts"
import { toSnapshot } from "./streams.ts"
import type { Definitions } from "./types.ts"

export interface Loaded {
  readonly session: string
  readonly version: number
  /** Lower than the definition's: it has to be migrated before it is stepped. */
  readonly machineVersion: number
  readonly snapshot: Snapshot
}

/** Machines whose streams begin a session instead of being sent to by one. */
const rootMachine = "session"
export const isRoot = (stream: string): boolean => machineOf(stream) === rootMachine

export function loader(db: Db, tables: Tables, definitions: Definitions) {
  const tail = db.prepare<[string, number], RawRow>(
    `SELECT ${selectColumns} FROM events WHERE stream = ? AND version > ? ORDER BY version`,
  )
  const first = db.prepare<[string], { causation: unknown }>(
    "SELECT causation FROM events WHERE stream = ? ORDER BY version LIMIT 1",
  )

  /** A stream belongs to the session of whoever sent its first input. */
  function sessionOf(stream: string): string {
    let at = stream
    for (let depth = 0; depth < 8 && !isRoot(at); depth += 1) {
      const cause = first.get(at)?.causation
      if (typeof cause !== "string") break
      at = cause.slice(0, cause.lastIndexOf("/"))
    }
    if (!isRoot(at)) throw new StreamQuarantined(stream, 0, "SESSION_UNKNOWN")
    return idOf(at)
  }

  function replayFrom(stream: string, from: Progress): Progress {
    let progress = from
    for (const raw of tail.all(stream, from.version)) {
      const decoded = decode(raw, definitions)
      if (!decoded.ok) throw new StreamQuarantined(stream, decoded.position, decoded.reason)
      const replayed = replayRow(definitions, progress, decoded.row, decoded.data)
      if (!replayed.ok) throw new StreamQuarantined(stream, decoded.row.position, replayed.reason)
      progress = replayed.progress
    }
    return progress
  }

  function fromCheckpoint(stream: string): Progress | null {
    const checkpoint = tables.streams.checkpoint(stream)
    const definition = definitions[machineOf(stream)]
    if (checkpoint === undefined || checkpoint.machineVersion !== definition?.version) return null
    if (!definition.context.safeParse(checkpoint.snapshot.context).success) return null
    const { version, machineVersion, snapshot } = checkpoint
    try {
      return replayFrom(stream, { version, machineVersion, snapshot, state: snapshot.value, blind: false })
    } catch {
      return null // a checkpoint is only a cache: ask the whole log before blaming a row
    }
  }

  return function load(stream: string): Loaded | null {
    const row = tables.streams.find(stream)
    const current = row === undefined ? null : toSnapshot(row)
    const quick = fromCheckpoint(stream)
    const agrees = quick !== null && current !== null && same(quick.snapshot, current)
    const progress = quick !== null && agrees ? quick : replayFrom(stream, start)
    const { version, machineVersion, state } = progress
    if (row !== undefined && row.version > version)
      throw new StreamQuarantined(stream, row.position, "EVENTS_MISSING")
    if (version === 0) return null
    // The machine that could replay an older version is gone; what it left in the row is all there is.
    const old = row?.version === version && current?.value === state ? current : null
    const snapshot = progress.blind ? old : progress.snapshot
    if (snapshot === null) throw new StreamQuarantined(stream, row?.position ?? 0, "SNAPSHOT_LOST")
    return { session: sessionOf(stream), version, machineVersion, snapshot }
  }
}

function same(a: Snapshot | null, b: Snapshot): boolean {
  return a?.value === b.value && JSON.stringify(a.context) === JSON.stringify(b.context)
}
