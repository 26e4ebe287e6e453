/**
 * A stream of an older machine version, lifted to the current one: the whole state as the data of one event, so
 * that a replay starts there and never needs the machine that is gone.
 */
import type { MachineDefinition } from "../machines/kernel.ts"
import type { Migration, Tables } from "./derive.ts"
import { StreamQuarantined } from "./errors.ts"
import type { Loaded } from "./load.ts"
import type { Migrations } from "./types.ts"

export function migrationOf(
  stream: string,
  before: Loaded,
  definition: MachineDefinition,
  migrations: Migrations,
  tables: Tables,
): Migration {
  const refuse = (reason: string) =>
    new StreamQuarantined(stream, tables.streams.find(stream)?.position ?? 0, reason)
  const lift = Object.hasOwn(migrations, definition.name) ? migrations[definition.name] : undefined
  if (lift === undefined) throw refuse("NO_MIGRATION")
  const snapshot = lift(before.snapshot, before.machineVersion)
  const context = definition.context.safeParse(snapshot.context)
  if (!context.success) throw refuse("MIGRATION_INVALID")
  return {
    from: before.machineVersion,
    snapshot: { value: snapshot.value, context: { ...snapshot.context }, status: snapshot.status },
    outbox: tables.outbox.ofStream(stream),
    timers: tables.timers.ofStream(stream),
  }
}
