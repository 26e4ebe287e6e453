/**
 * The log through the machines once more, from its first event to a position: what every stream was then. It reads
 * events and nothing that was derived from them, so that it needs no cache to be right.
 */
import { type MachineDefinition, step } from "../../machines/kernel.ts"
import { machineOf, streamOf } from "../../machines/words.ts"
import type { RawRow } from "../../store/chain.ts"
import { type Decoded, decode } from "../../store/decode.ts"
import type { Reader } from "../../store/index.ts"
import { maxPage } from "../../store/read.ts"
import { type Progress, replayRow, start } from "../../store/replay.ts"

type Definitions = Readonly<Record<string, MachineDefinition>>

/** A stream as of its last event that could be followed. */
export interface ReplayedStream {
  readonly stream: string
  readonly machine: string
  readonly progress: Progress
  /** Of that event; 0 when there is none. */
  readonly position: number
  /** Why it could not be followed further. */
  readonly broken: string | null
}

/** Where a row and the replay part. What comes after it in the same stream is not looked at. */
export interface Difference {
  readonly position: number
  readonly stream: string
  readonly code: string
  /** The state that the row names, and the one that the machine comes to; null where there is none. */
  readonly recorded: string | null
  readonly replayed: string | null
}

export interface Replay {
  readonly events: number
  readonly streams: readonly ReplayedStream[]
  readonly differences: readonly Difference[]
}

export interface Wanted {
  /** The last position to be replayed. */
  readonly at: number
  /** Only this session's streams. */
  readonly session?: string | undefined
}

export function replayTo(store: Reader, definitions: Definitions, { at, session }: Wanted): Replay {
  const streams = new Map<string, ReplayedStream>()
  const differences: Difference[] = []
  const isWanted = membership(session)
  let events = 0
  for (const raw of eventsTo(store, at)) {
    if (!isWanted(raw)) continue
    events += 1
    const name = typeof raw.stream === "string" ? raw.stream : "?"
    const before = streams.get(name) ?? {
      stream: name,
      machine: machineOf(name),
      progress: start,
      position: 0,
      broken: null,
    }
    if (before.broken !== null) continue
    const next = follow(definitions, before, decode(raw, definitions))
    if ("code" in next) differences.push(next)
    streams.set(name, "code" in next ? { ...before, broken: next.code } : next)
  }
  return { events, streams: [...streams.values()], differences }
}

function* eventsTo(store: Reader, at: number): Generator<RawRow> {
  for (let after = 0; after < at; ) {
    const page = store.rawEvents({ after, limit: Math.min(maxPage, at - after) })
    for (const raw of page) if (typeof raw.position === "number" && raw.position <= at) yield raw
    const last = page.at(-1)?.position
    if (typeof last !== "number") return
    after = last
  }
}

/** A stream belongs to the session of whoever sent its first input. */
function membership(session: string | undefined): (raw: RawRow) => boolean {
  if (session === undefined) return () => true
  const members = new Set<unknown>([streamOf.session(session)])
  return ({ stream, causation }) => {
    const parent = typeof causation === "string" ? causation.slice(0, causation.lastIndexOf("/")) : null
    if (members.has(parent)) members.add(stream)
    return members.has(stream)
  }
}

function follow(
  definitions: Definitions,
  before: ReplayedStream,
  decoded: Decoded,
): ReplayedStream | Difference {
  if (!decoded.ok) {
    const { position, stream, reason: code } = decoded
    return { position, stream, code, recorded: null, replayed: null }
  }
  const { row, data } = decoded
  const { position, stream } = row
  const result = replayRow(definitions, before.progress, row, data)
  if (result.ok) return { ...before, position, progress: result.progress }
  const replayed = comesTo(definitions[row.machine], before.progress, { type: row.type, ...data })
  return { position, stream, code: result.reason, recorded: row.to_state, replayed }
}

function comesTo(definition: MachineDefinition | undefined, { snapshot }: Progress, input: unknown) {
  if (definition === undefined) return null
  try {
    const result = step(definition, snapshot, input)
    return result.rejected ? null : result.to
  } catch {
    return null // that it fails is the difference, and is told by its code
  }
}
