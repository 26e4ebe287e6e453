/**
 * What follows from one event: outbox, timers, receipts, streams, projections. Appending and rebuilding both
 * come through here, which is why they agree. It writes caches only and must not look at anything that is not
 * in its arguments or in those caches: no clock, no owner, no text.
 */
import { z } from "zod"
import type { EffectRequest, Snapshot, TimerRequest } from "../machines/kernel.ts"
import type { EventRow } from "./chain.ts"
import type { Db } from "./database.ts"
import { outboxRow, outboxTable } from "./outbox.ts"
import { projections } from "./projections.ts"
import { receiptsTable } from "./receipts.ts"
import { streamsTable } from "./streams.ts"
import { storedTimer, timersTable } from "./timers.ts"

/** The data of a `machine.migrated` event: all that a replay starting there needs. */
export const migration = z.strictObject({
  from: z.int().positive(),
  snapshot: z.strictObject({
    value: z.string(),
    context: z.record(z.string(), z.unknown()),
    status: z.enum(["active", "done"]),
  }),
  outbox: z.array(outboxRow),
  timers: z.array(storedTimer),
})
export type Migration = z.infer<typeof migration>

/** What an event brought about; null where only its columns can be understood. */
export type Outcome =
  | {
      readonly snapshot: Snapshot
      readonly effects: readonly EffectRequest[]
      readonly timers: readonly TimerRequest[]
    }
  /** A null snapshot: of a version that is itself old by now. */
  | { readonly migration: Migration; readonly snapshot: Snapshot | null }
  | null

export type Tables = ReturnType<typeof cacheTables>
export function cacheTables(db: Db) {
  return {
    outbox: outboxTable(db),
    timers: timersTable(db),
    receipts: receiptsTable(db),
    streams: streamsTable(db),
    projections: projections(db),
  }
}

export function derive(tables: Tables, event: EventRow, session: string, outcome: Outcome): void {
  const { outbox, timers, receipts, streams, projections: shown } = tables
  const cause = event.causation ?? ""
  // What ended goes before what begins: a timer that fires may be armed again by the same event.
  if (event.cause === "effect") outbox.end(cause)
  if (event.cause === "timer") timers.fired(event.stream, cause)
  if (outcome !== null && "migration" in outcome) {
    outbox.replace(event.stream, outcome.migration.outbox)
    timers.replace(event.stream, outcome.migration.timers)
  } else if (outcome !== null) {
    outbox.open(event, session, outcome.effects)
    timers.apply(event, session, outcome.timers)
  }
  const snapshot = outcome?.snapshot ?? null
  streams.record(event, session, snapshot)
  receipts.record(event)
  shown.record(event, session, snapshot)
}
