/**
 * Rows of the projections as readers get them: parsed, in the words of the front door, and marked where a
 * damaged cache made no sense. Nothing is queried here.
 */
import { z } from "zod"
import { failureKind, turnOutcome } from "../machines/words.ts"
import { undecodable } from "./outbox.ts"
import type { SessionRow, TurnRow, Undecodable } from "./types.ts"

const count = z.int().nonnegative()
const sessionRow = z.strictObject({
  session: z.string(),
  agent: z.string(),
  cwd: z.string(),
  model: z.string(),
  state: z.string(),
  current_turn: z.string().nullable(),
  queued: count,
  conversation: z.string().nullable(),
  created_at: count,
  created_position: count,
  updated_at: count,
  updated_position: count,
})
export function toSession(raw: unknown): SessionRow | Undecodable {
  const parsed = sessionRow.safeParse(raw)
  if (!parsed.success) return undecodable(raw)
  const { current_turn, created_at, created_position, updated_at, updated_position, ...row } = parsed.data
  return {
    ...row,
    undecodable: false,
    currentTurn: current_turn,
    createdAt: created_at,
    createdPosition: created_position,
    updatedAt: updated_at,
    updatedPosition: updated_position,
  }
}

const turnRow = z.strictObject({
  turn: z.string(),
  session: z.string(),
  ordinal: count,
  state: z.string(),
  runs: count,
  outcome: turnOutcome.nullable(),
  failure_kind: failureKind.nullable(),
  failure_code: z.string().nullable(),
  failure_retryable: count.nullable(),
  degraded: failureKind.nullable(),
  input_tokens: count.nullable(),
  output_tokens: count.nullable(),
  cache_read_tokens: count.nullable(),
  cache_write_tokens: count.nullable(),
  reply_digest: z.string().nullable(),
  reply_bytes: count.nullable(),
  created_at: count,
  created_position: count,
  settled_at: count.nullable(),
  settled_position: count.nullable(),
})
export function toTurn(raw: unknown): TurnRow | Undecodable {
  const parsed = turnRow.safeParse(raw)
  if (!parsed.success) return undecodable(raw)
  const row = parsed.data
  const { failure_kind: kind, failure_code: code, failure_retryable: retryable } = row
  const usage = {
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cacheReadTokens: row.cache_read_tokens,
    cacheWriteTokens: row.cache_write_tokens,
  }
  const { reply_digest: digest, reply_bytes: bytes } = row
  return {
    undecodable: false,
    turn: row.turn,
    session: row.session,
    ordinal: row.ordinal,
    state: row.state,
    runs: row.runs,
    outcome: row.outcome,
    failure: kind === null || code === null ? null : { kind, code, retryable: retryable === 1 },
    degraded: row.degraded,
    usage: Object.values(usage).every(tokens => tokens === null) ? null : usage,
    reply: digest === null || bytes === null ? null : { digest, bytes },
    createdAt: row.created_at,
    createdPosition: row.created_position,
    settledAt: row.settled_at,
    settledPosition: row.settled_position,
  }
}
