/**
 * The decision, inside the transaction: receipt, fence, snapshot, step, sends, rows. It either records all that
 * a submission brings about or throws, and its savepoint is rolled back. Nothing is told to anybody here.
 */
import { limits, type Send, step } from "../machines/kernel.ts"
import { idOf, machineOf } from "../machines/words.ts"
import type { Blobs } from "./blobs.ts"
import { columns, type EventRow, genesis, seal } from "./chain.ts"
import type { Db } from "./database.ts"
import { derive, type Outcome, type Tables } from "./derive.ts"
import {
  BadSubmission,
  CommandConflict,
  LimitExceeded,
  MachineDefect,
  Rejected,
  SendRefused,
  StoreError,
  StreamUnknown,
} from "./errors.ts"
import { asciiJson } from "./json.ts"
import { isRoot, type Loaded } from "./load.ts"
import { migrationOf } from "./migrate.ts"
import type { Ownership } from "./owners.ts"
import { contentDigest } from "./receipts.ts"
import { type Root, resolveRoot } from "./root.ts"
import type { Definitions, Head, Migrations, Receipt, Submission } from "./types.ts"
import type { Working } from "./working.ts"

export interface AppendParts {
  readonly db: Db
  readonly tables: Tables
  readonly owners: Ownership
  readonly blobs: Blobs
  readonly definitions: Definitions
  readonly migrations: Migrations
}

/** One input on its way into a stream, and why. */
interface Arrival extends Send {
  readonly session: string
  readonly cause: EventRow["cause"]
  readonly causation: string | null
}

export function appender({ db, tables, owners, blobs, definitions, migrations }: AppendParts) {
  const insert = db.prepare(
    `INSERT INTO events (${columns.join(", ")}) VALUES (${columns.map(column => `:${column}`).join(", ")})`,
  )
  const last = db.prepare<[], Head>("SELECT position, hash FROM events ORDER BY position DESC LIMIT 1")

  function definitionOf(stream: string) {
    const definition = definitions[machineOf(stream)]
    if (definition === undefined || !/^[a-z][A-Za-z]*:[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(stream))
      throw new StreamUnknown(stream)
    return definition
  }

  /** Append one event and all that follows from it in the caches. */
  function write(
    work: Working,
    root: Root,
    arrival: Pick<Arrival, "stream" | "session" | "cause" | "causation">,
    content: Pick<EventRow, "type" | "from_state" | "to_state" | "ignored"> & { readonly data: unknown },
    outcome: NonNullable<Outcome>,
  ): EventRow {
    const { stream, session, cause, causation } = arrival
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
        type: "machine.migrated",
        data: migration,
        from_state: before.snapshot.value,
        to_state: snapshot.value,
        ignored: 0,
      },
      { migration, snapshot },
    )
    return work.load(stream)
  }

  /** Step one input and append its event; its sends are returned, to be stepped after it. */
  function appendOne(work: Working, root: Root, arrival: Arrival): readonly Arrival[] {
    const { stream, input, session, cause } = arrival
    const definition = definitionOf(stream)
    const before = migrateFirst(work, root, stream)
    const result = attempt(stream, input.type, () => step(definition, before?.snapshot ?? null, input))
    if (result.rejected) {
      if (cause === "event") throw new SendRefused(arrival.causation ?? "?", stream, result)
      throw new Rejected(stream, result)
    }
    if (before === null && result.ignored && cause !== "event") throw new StreamUnknown(stream)
    const { type, ...data } = result.input
    const row = write(
      work,
      root,
      { ...arrival, session: before?.session ?? session },
      { type, data, from_state: result.from, to_state: result.to, ignored: result.ignored ? 1 : 0 },
      result,
    )
    return result.sends.map(send => ({
      ...send,
      session,
      cause: "event",
      causation: `${row.stream}/${row.version}`,
    }))
  }

  function appendAll(work: Working, root: Root, submission: Submission, session: string): void {
    for (const input of submission.inputs) {
      const { cause, causation } = root
      const queue: Arrival[] = [{ stream: submission.stream, input, session, cause, causation }]
      for (let sent = 0; queue.length > 0; sent += 1) {
        if (sent > limits.sends) throw new LimitExceeded("sends from one input", limits.sends)
        const next = queue.shift()
        if (next !== undefined) queue.push(...appendOne(work, root, next))
      }
    }
  }

  function decide(work: Working, submission: Submission): Receipt {
    const { stream, command, inputs, texts = [] } = submission
    definitionOf(stream)
    const digest = contentDigest(stream, inputs)
    if (command !== undefined) {
      const given = tables.receipts.find(command.id)
      if (given !== undefined && given.digest !== digest) throw new CommandConflict(command.id)
      if (given !== undefined) {
        const { position, version, state } = given
        return { duplicate: true, stale: false, position, version, state }
      }
    }
    const before = work.load(stream)
    if (before === null && !isRoot(stream)) throw new StreamUnknown(stream)
    const session = before?.session ?? idOf(stream)
    if (before === null) owners.claimNew(session)
    else owners.fence(session)

    const root = resolveRoot(tables, submission, digest)
    if (root !== null) {
      appendAll(work, root, submission, session)
      blobs.keep(session, texts)
    }
    const after = work.load(stream)
    if (after === null) throw new BadSubmission("no inputs for a new stream")
    const position = work.head.position
    return {
      duplicate: false,
      stale: root === null,
      position,
      version: after.version,
      state: after.snapshot.value,
    }
  }

  return {
    decide,
    head: (): Head => last.get() ?? { position: 0, hash: genesis },
  }
}

/** A machine that throws is a defect with a name, not a crash of the host. */
function attempt<T>(stream: string, input: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof StoreError) throw error
    throw new MachineDefect(stream, input, error)
  }
}
