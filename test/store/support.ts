/**
 * What the store's tests share: state folders that vanish, a clock that is turned by hand, and a turn driven
 * through the real machines. Nothing here stands in for a part of the store.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Database from "better-sqlite3"
import { onTestFinished } from "vitest"
import { definitions } from "../../machines/index.ts"
import type { Input } from "../../machines/kernel.ts"
import { openFolder } from "../../store/folder.ts"
import type { Receipt, Store, Submission } from "../../store/index.ts"
import { caches } from "../../store/schema.ts"
import { type WriterOptions, writerOf } from "../../store/writer.ts"

export { definitions }

export function temporaryFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), "holdfast-store-"))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return join(parent, "state")
}

export function handClock(start = 1_700_000_000_000) {
  let now = start
  return {
    wall: () => now,
    awake: () => now - start + 1_000,
    pass: (ms: number) => {
      now += ms
    },
  }
}

/** A host's store, and its connection for those who want to break something. */
export function openHost(folder: string, options: Partial<WriterOptions> = {}) {
  const db = openFolder(folder, "write")
  const store = writerOf(db, { definitions, clock: handClock(), host: "host-1", ...options })
  onTestFinished(() => {
    if (db.open) store.close()
  })
  return { db, store }
}

/** The file as somebody else with SQLite sees it. */
export function withFile<T>(folder: string, use: (db: Database.Database) => T): T {
  const db = new Database(join(folder, "log.sqlite"))
  try {
    return use(db)
  } finally {
    db.close()
  }
}

const limits = {
  firstOutputMs: 1_000,
  idleMs: 2_000,
  toolIdleMs: 3_000,
  totalMs: 60_000,
  resultGraceMs: 10,
  signalGraceMs: 10,
  unattendedMs: 1_000,
  maxSpoolBytes: 1_000_000,
}

export const launchInput = (session: string, agent = "rehearsal"): Input => ({
  type: "launch",
  session,
  agent,
  cwd: "/srv/pr\u00fcfung/\u{1f600}",
  model: "auto",
  limits,
})

export function launch(store: Store, session: string, agent?: string): Promise<Receipt> {
  return store.submit({
    stream: `session:${session}`,
    inputs: [launchInput(session, agent)],
    actor: "user",
    command: { id: `launch-${session}` },
  })
}

export function send(store: Store, session: string, turn: string, prompt: string): Promise<Receipt> {
  const bytes = Buffer.from(prompt)
  const digest = store.keyedDigest(session, bytes)
  return store.submit({
    stream: `session:${session}`,
    inputs: [{ type: "send", turn, prompt: digest }],
    texts: [{ session, digest, bytes }],
    actor: "user",
    command: { id: turn },
  })
}

export const command = (session: string, type: string, id?: string): Submission => ({
  stream: `session:${session}`,
  inputs: [{ type }],
  actor: "user",
  ...(id === undefined ? {} : { command: { id } }),
})

const launcher = { pid: 4711, start: "99", boot: "boot-1", namespace: "", host: "here" }
export const adopted: Input = {
  type: "found",
  claim: "launcher",
  process: "alive",
  agent: true,
  exit: null,
  startFailure: null,
  ended: null,
  sameBoot: true,
  launcher,
}
const verdict = {
  outcome: "succeeded",
  failure: null,
  degraded: null,
  emptyReply: false,
  conversation: "reusable",
  usage: { inputTokens: 7, outputTokens: null, cacheReadTokens: 0, cacheWriteTokens: null },
  deniedTools: 0,
  unknownLines: 0,
}

/** Report the outcome of the one effect of this kind that is outstanding for the stream. */
export function answer(
  store: Store,
  stream: string,
  kind: string,
  inputs: readonly Input[],
): Promise<Receipt> {
  const effect = store.outbox({ stream }).find(row => !row.undecodable && row.kind === kind)
  if (effect === undefined || effect.undecodable) throw new Error(`${stream} asks for no ${kind}`)
  return store.submit({ stream, inputs, effect: effect.id, actor: "host" })
}

/** From `preparing` until the run is active and its first timers are armed. */
export async function startRun(store: Store, turn: string): Promise<void> {
  const stream = `run:${turn}.1`
  await answer(store, stream, "prepare", [{ type: "prepared", boot: "boot-1" }])
  await answer(store, stream, "launch", [{ type: "launched" }])
  await store.submit({ stream, inputs: [adopted], actor: "host" })
}

/** From `active` until the turn has succeeded. */
export async function finishRun(store: Store, session: string, turn: string, reply: string): Promise<void> {
  const stream = `run:${turn}.1`
  const bytes = Buffer.from(reply)
  const digest = store.keyedDigest(session, bytes)
  const conclusion = {
    cursor: 40,
    terminal: true,
    verdict,
    reply: { digest, bytes: bytes.length },
    explanation: null,
  }
  await store.submit({
    stream,
    inputs: [
      { type: "identified", cursor: 10, conversation: `chat-${session}` },
      { type: "spoke", cursor: 20 },
      { type: "resultSeen", ...conclusion },
    ],
    texts: [{ session, digest, bytes }],
    actor: "agent",
  })
  await answer(store, stream, "end", [{ type: "ended", ...conclusion, emitted: true, left: [] }])
}

/** A row in every table: a finished turn, a running one with timers, a waiting one, an outstanding effect. */
export async function smallLog(store: Store): Promise<void> {
  await launch(store, "a")
  await launch(store, "b")
  await send(store, "a", "a1", "first prompt")
  await startRun(store, "a1")
  await finishRun(store, "a", "a1", "first reply")
  await send(store, "b", "b1", "second prompt")
  await send(store, "b", "b2", "third prompt")
  await startRun(store, "b1")
  await launch(store, "c")
  // Long enough for a checkpoint.
  const inputs = Array.from({ length: 35 }, () => [{ type: "pause" }, { type: "resume" }]).flat()
  await store.submit({ stream: "session:c", inputs, actor: "user" })
  await send(store, "c", "c1", "fourth prompt")
}

export type Dump = Readonly<Record<string, readonly unknown[]>>
/** Every cache, byte for byte. */
export function dumpCaches(folder: string): Dump {
  return withFile(folder, db =>
    Object.fromEntries(
      Object.entries(caches).map(([table, key]) => {
        const names = db
          .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
          .all()
          .map(({ name }) => `hex(${name}) || typeof(${name}) AS ${name}`)
        return [
          table,
          db.prepare(`SELECT ${names.join(", ")} FROM ${table} ORDER BY ${key.join(", ")}`).all(),
        ]
      }),
    ),
  )
}

/** Names of the files under the folder, at any depth, that contain the text. */
export function filesWith(folder: string, text: string | Buffer): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => readFileSync(path).includes(text))
}

/** What a promise was rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error("nothing was rejected")
}
