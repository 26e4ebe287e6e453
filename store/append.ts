/**
 * The decision, inside the transaction: receipt, fence, snapshot, step, sends. It either records all that a
 * submission brings about or throws, and its savepoint is rolled back. Nothing is told to anybody here.
 */
import { limits, type Send, step } from "../machines/kernel.ts"
import { idOf } from "../machines/words.ts"
import { isSqliteError } from "./database.ts"
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
import { isRoot } from "./load.ts"
import { contentDigest } from "./receipts.ts"
import { type Root, resolveRoot } from "./root.ts"
import type { Receipt, Submission } from "./types.ts"
import type { Working } from "./working.ts"
import { type AppendParts, eventWriter, type Target } from "./write-event.ts"

/** One input on its way into a stream. */
interface Arrival extends Target, Send {}

export function appender(parts: AppendParts) {
  const { tables, owners, blobs } = parts
  const { definitionOf, write, migrateFirst, head } = eventWriter(parts)

  /** Step one input and append its event; its sends are returned, to be stepped after it. */
  function appendOne(work: Working, root: Root, arrival: Arrival): readonly Arrival[] {
    const { stream, input, session, cause } = arrival
    const definition = definitionOf(stream)
    const before = migrateFirst(work, root, stream)
    if (arrival.creates && before !== null) {
      const { value: state } = before.snapshot
      throw new Rejected(stream, { code: "STREAM_EXISTS", state, input: input.type })
    }
    const result = step(definition, before?.snapshot ?? null, input)
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
        if (next === undefined) break
        queue.push(...attempt(next, () => appendOne(work, root, next)))
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

  return { decide, head }
}

/** A machine that throws, or whose event cannot be recorded, is a defect with a name; other errors pass. */
function attempt<T>({ stream, input }: Arrival, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof StoreError || isSqliteError(error)) throw error
    throw new MachineDefect(stream, input.type, error)
  }
}
