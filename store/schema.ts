/**
 * The tables, as migrations in order: each runs once, in a transaction. A published one is never edited. The
 * truths are `events`, `owners`, `keys`, `blobs` and `inbox`; the rest are caches that `events` can rebuild.
 */
import type { Db } from "./database.ts"

/** Spells "HFLG" in the file's header, so that no other program's database is taken for ours. */
export const applicationId = 0x48464c47

const log = `
CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  machine TEXT NOT NULL,
  machine_version INTEGER NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  ignored INTEGER NOT NULL,
  at INTEGER NOT NULL,
  awake INTEGER NOT NULL,
  actor TEXT NOT NULL,
  correlation TEXT,
  cause TEXT,
  causation TEXT,
  command_digest TEXT,
  epoch INTEGER NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_stream ON events(stream, version);
`

const truths = `
CREATE TABLE owners (session TEXT PRIMARY KEY, host TEXT, epoch INTEGER NOT NULL) STRICT;
CREATE TABLE keys (session TEXT PRIMARY KEY, key BLOB, erased_at INTEGER) STRICT;
CREATE TABLE blobs (
  session TEXT NOT NULL, digest TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (session, digest)
) STRICT;
CREATE TABLE inbox (
  id TEXT PRIMARY KEY, stream TEXT NOT NULL, session TEXT NOT NULL, inputs TEXT NOT NULL, actor TEXT NOT NULL,
  digest TEXT NOT NULL, posted_at INTEGER NOT NULL, rejection TEXT
) STRICT;
CREATE INDEX inbox_open ON inbox(session) WHERE rejection IS NULL;
CREATE TABLE quarantine (stream TEXT PRIMARY KEY, position INTEGER NOT NULL, reason TEXT NOT NULL) STRICT;
`

/** What follows from the events alone. Also made in a scratch database, to compare. */
export const cacheSchema = `
CREATE TABLE streams (
  stream TEXT PRIMARY KEY, session TEXT NOT NULL, machine TEXT NOT NULL, machine_version INTEGER NOT NULL,
  version INTEGER NOT NULL, position INTEGER NOT NULL, state TEXT NOT NULL, context TEXT, status TEXT
) STRICT;
CREATE INDEX streams_session ON streams(session, position);
CREATE TABLE snapshots (
  stream TEXT PRIMARY KEY, machine_version INTEGER NOT NULL, version INTEGER NOT NULL,
  state TEXT NOT NULL, context TEXT NOT NULL, status TEXT NOT NULL
) STRICT;
CREATE TABLE outbox (
  id TEXT PRIMARY KEY, stream TEXT NOT NULL, version INTEGER NOT NULL, idx INTEGER NOT NULL,
  session TEXT NOT NULL, kind TEXT NOT NULL, class TEXT NOT NULL, params TEXT NOT NULL, correlation TEXT,
  position INTEGER NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_position ON outbox(position);
CREATE INDEX outbox_stream ON outbox(stream);
CREATE TABLE timers (
  stream TEXT NOT NULL, id TEXT NOT NULL, generation INTEGER NOT NULL, session TEXT NOT NULL,
  clock TEXT NOT NULL, after_ms INTEGER NOT NULL, correlation TEXT, armed_position INTEGER NOT NULL,
  armed_at INTEGER NOT NULL, armed_awake INTEGER NOT NULL, PRIMARY KEY (stream, id)
) STRICT;
CREATE TABLE receipts (
  command TEXT PRIMARY KEY, digest TEXT NOT NULL, stream TEXT NOT NULL,
  position INTEGER NOT NULL, version INTEGER NOT NULL, state TEXT NOT NULL
) STRICT;
CREATE TABLE sessions (
  session TEXT PRIMARY KEY, agent TEXT, cwd TEXT, model TEXT, state TEXT NOT NULL, current_turn TEXT,
  queued INTEGER, conversation TEXT, created_at INTEGER NOT NULL, created_position INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, updated_position INTEGER NOT NULL
) STRICT;
CREATE TABLE turns (
  turn TEXT PRIMARY KEY, session TEXT NOT NULL, ordinal INTEGER NOT NULL, state TEXT NOT NULL, runs INTEGER,
  outcome TEXT, failure_kind TEXT, failure_code TEXT, failure_retryable INTEGER, degraded TEXT,
  input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER,
  reply_digest TEXT, reply_bytes INTEGER, created_at INTEGER NOT NULL, created_position INTEGER NOT NULL,
  settled_at INTEGER, settled_position INTEGER
) STRICT;
CREATE UNIQUE INDEX turns_session ON turns(session, ordinal);
`

/** The caches and the columns that order them, for clearing and for comparing. */
export const caches = {
  streams: ["stream"],
  snapshots: ["stream"],
  outbox: ["id"],
  timers: ["stream", "id"],
  receipts: ["command"],
  sessions: ["session"],
  turns: ["turn"],
} as const
export type Cache = keyof typeof caches

const migrations = [log + truths + cacheSchema] as const
export const schemaVersion = migrations.length

export function migrate(db: Db): void {
  const pending = (): number => Number(db.pragma("user_version", { simple: true }))
  if (pending() === schemaVersion) return
  // Another process may be opening the same folder: look again under the lock.
  db.transaction(() => {
    for (const [index, sql] of migrations.entries()) {
      if (index < pending()) continue
      db.exec(sql)
      db.pragma(`application_id = ${applicationId}`)
      db.pragma(`user_version = ${index + 1}`)
    }
  }).immediate()
}
