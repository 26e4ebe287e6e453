/**
 * One event into the log, sealed to the one before it, together with all that follows from it in the caches. It
 * is told what happened and decides nothing but that an older machine's stream is migrated first.
 */
import { machineOf } from "../machines/words.ts"
import type { Blobs } from "./blobs.ts"
import { columns, type EventRow, genesis, seal } from "./chain.ts"
import type { Db } from "./database.ts"
import { migrated } from "./decode.ts"
import { derive, type Outcome, type Tables } from "./derive.ts"
import { BadSubmission, StreamUnknown } from "./errors.ts"
import { asciiJson } from "./json.ts"
import type { Loaded } from "./load.ts"
import { migrationOf } from "./migrate.ts"
import type { Ownership } from "./owners.ts"
import type { Root } from "./root.ts"
import type { Definitions, Head, Migrations } from "./types.ts"
import type { Working } from "./working.ts"

export interface AppendParts {
  readonly db: Db
  readonly tables: Tables
  readonly owners: Ownership
  readonly blobs: Blobs
  readonly definitions: Definitions
  readonly migrations: Migrations
}

/** Where an event goes, and why. */
export interface Target {
  readonly stream: string
  readonly session: string
  readonly cause: EventRow["cause"]
  readonly causation: string | null
}

const streamName = /^[a-z][A-Za-z]*:[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

export function eventWriter({ db, tables, owners, definitions, migrations }: Omit<AppendParts, "blobs">) {
  const insert = db.prepare(
    `INSERT INTO events (${columns.join(", ")}) VALUES (${columns.map(column => `:${column}`).join(", ")})`,
  )
  const last = db.prepare<[], Head>("SELECT position, hash FROM events ORDER BY position DESC LIMIT 1")

  function definitionOf(stream: string) {
    const definition = definitions[machineOf(stream)]
    if (definition === undefined || !streamName.test(stream)) throw new StreamUnknown(stream)
    return definition
  }

  /** Append one event and all that follows from it in the caches. */
  function write(
    work: Working,
    root: Root,
    target: Target,
    content: Pick<EventRow, "type" | "from_state" | "to_state" | "ignored"> & { readonly data: unknown },
    outcome: NonNullable<Outcome>,
  ): EventRow {
    const { stream, session, cause, causation } = target
    const definition = definitionOf(stream)
    const epoch = owners.fence(session)
    const { snapshot } = outcome
    if (snapshot === null) throw new BadSubmission("an event without a state")
    const row = seal({
      ...content,
      data: asciiJson(content.data),
      position: work.head.position + 1,
      stream,
      version: (work.load(stream)?.version ?? 0) + 1,
      machine: definition.name,
      machine_version: definition.version,
      at: work.at,
      awake: work.awake,
      actor: root.actor,
      correlation: root.correlation,
      cause,
      causation,
      command_digest: cause === "command" ? root.digest : null,
      epoch,
      prev: work.head.hash,
    })
    insert.run(row)
    derive(tables, row, session, outcome)
    work.advance(row, { session, version: row.version, machineVersion: definition.version, snapshot })
    return row
  }

  function migrateFirst(work: Working, root: Root, stream: string): Loaded | null {
    const before = work.load(stream)
    const definition = definitionOf(stream)
    if (before === null || before.machineVersion === definition.version) return before
    const migration = migrationOf(stream, before, definition, migrations, tables)
    const { snapshot } = migration
    write(
      work,
      root,
      { stream, session: before.session, cause: null, causation: null },
      {
        type: migrated,
        data: migration,
        from_state: before.snapshot.value,
        to_state: snapshot.value,
        ignored: 0,
      },
      { migration, snapshot },
    )
    return work.load(stream)
  }

  return {
    definitionOf,
    write,
    migrateFirst,
    head: (): Head => last.get() ?? { position: 0, hash: genesis },
  }
}
