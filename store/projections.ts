/**
 * What readers ask about sessions and turns, derived event by event from the columns and the snapshot after it.
 * A cache; nothing decides by it but which agent a session belongs to. Columns alone must be enough for the
 * dates and ordinals, since a snapshot before a machine's latest version may not be known.
 */
import { z } from "zod"
import type { Snapshot } from "../machines/kernel.ts"
import { failure, idOf, textReference, turnOutcome, usage } from "../machines/words.ts"
import type { EventRow } from "./chain.ts"
import type { Db } from "./database.ts"

/** The part of a session's context that is shown. */
const sessionContext = z.object({
  about: z.object({ agent: z.string(), cwd: z.string(), model: z.string() }).nullable(),
  conversation: z.string().nullable(),
  current: z.string().nullable(),
  queue: z.array(z.unknown()),
})
/** The part of a turn's context that is shown. */
const turnContext = z.object({
  runs: z.int(),
  closed: z
    .object({
      failure: failure.nullable(),
      verdict: z.object({ degraded: z.string().nullable(), usage: usage.nullable() }).nullable(),
      reply: textReference.nullable(),
    })
    .nullable(),
})

const noSession = {
  agent: null,
  cwd: null,
  model: null,
  current_turn: null,
  queued: null,
  conversation: null,
}
const noTurn = { runs: null, failure: null, degraded: null, usage: null, reply: null }

export function projections(db: Db) {
  const session = db.prepare(
    `INSERT INTO sessions (session, agent, cwd, model, state, current_turn, queued, conversation,
       created_at, created_position, updated_at, updated_position)
     VALUES (:session, :agent, :cwd, :model, :state, :current_turn, :queued, :conversation,
       :at, :position, :at, :position)
     ON CONFLICT(session) DO UPDATE SET agent = excluded.agent, cwd = excluded.cwd, model = excluded.model,
       state = excluded.state, current_turn = excluded.current_turn, queued = excluded.queued,
       conversation = excluded.conversation, updated_at = excluded.updated_at,
       updated_position = excluded.updated_position`,
  )
  const touch = db.prepare<[number, number, string]>(
    "UPDATE sessions SET updated_at = ?, updated_position = ? WHERE session = ?",
  )
  const turn = db.prepare(
    `INSERT INTO turns (turn, session, ordinal, state, runs, outcome, failure_kind, failure_code,
       failure_retryable, degraded, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
       reply_digest, reply_bytes, created_at, created_position, settled_at, settled_position)
     VALUES (:turn, :session, (SELECT count(*) + 1 FROM turns WHERE session = :session), :state, :runs, :outcome,
       :failure_kind, :failure_code, :failure_retryable, :degraded, :input_tokens, :output_tokens,
       :cache_read_tokens, :cache_write_tokens, :reply_digest, :reply_bytes, :at, :position, :settled_at,
       :settled_position)
     ON CONFLICT(turn) DO UPDATE SET state = excluded.state, runs = excluded.runs, outcome = excluded.outcome,
       failure_kind = excluded.failure_kind, failure_code = excluded.failure_code,
       failure_retryable = excluded.failure_retryable, degraded = excluded.degraded,
       input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
       cache_read_tokens = excluded.cache_read_tokens, cache_write_tokens = excluded.cache_write_tokens,
       reply_digest = excluded.reply_digest, reply_bytes = excluded.reply_bytes,
       settled_at = coalesce(settled_at, excluded.settled_at),
       settled_position = coalesce(settled_position, excluded.settled_position)`,
  )
  return {
    record(event: EventRow, owner: string, snapshot: Snapshot | null) {
      const { at, position } = event
      const common = { session: owner, at, position, state: event.to_state }
      if (event.machine === "session") session.run({ ...common, ...sessionColumns(snapshot) })
      else touch.run(at, position, owner)
      if (event.machine === "turn")
        turn.run({ ...common, turn: idOf(event.stream), ...turnColumns(snapshot), ...settledColumns(event) })
    },
  }
}

function sessionColumns(snapshot: Snapshot | null) {
  if (snapshot === null) return noSession
  const { about, conversation, current, queue } = sessionContext.parse(snapshot.context)
  const { agent, cwd, model } = about ?? noSession
  return { agent, cwd, model, current_turn: current, queued: queue.length, conversation }
}

function turnColumns(snapshot: Snapshot | null) {
  const context = snapshot === null ? null : turnContext.parse(snapshot.context)
  const { failure: failed, verdict, reply } = context?.closed ?? { ...noTurn, verdict: null }
  const tokens = verdict?.usage ?? null
  return {
    runs: context?.runs ?? null,
    failure_kind: failed?.kind ?? null,
    failure_code: failed?.code ?? null,
    failure_retryable: failed === null ? null : Number(failed.retryable),
    degraded: verdict?.degraded ?? null,
    input_tokens: tokens?.inputTokens ?? null,
    output_tokens: tokens?.outputTokens ?? null,
    cache_read_tokens: tokens?.cacheReadTokens ?? null,
    cache_write_tokens: tokens?.cacheWriteTokens ?? null,
    reply_digest: reply?.digest ?? null,
    reply_bytes: reply?.bytes ?? null,
  }
}

/** A turn's terminal states are named like its outcomes. */
function settledColumns(event: EventRow) {
  const outcome = turnOutcome.safeParse(event.to_state)
  if (!outcome.success) return { outcome: null, settled_at: null, settled_position: null }
  return { outcome: outcome.data, settled_at: event.at, settled_position: event.position }
}
