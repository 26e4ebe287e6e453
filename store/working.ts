/**
 * What a transaction sees of streams while it is being decided: savepoint over group over cache. A savepoint or
 * group that fails is simply not merged, so nothing that was not committed is ever built upon.
 */
import type { EventRow } from "./chain.ts"
import type { Loaded } from "./load.ts"
import type { Head } from "./types.ts"

/** Streams kept in memory between commits. */
const maxCached = 2048

export interface Working {
  readonly head: Head
  readonly at: number
  readonly awake: number
  readonly load: (stream: string) => Loaded | null
  readonly advance: (row: EventRow, loaded: Loaded) => void
}

export function streamCache(read: (stream: string) => Loaded | null) {
  const cached = new Map<string, Loaded>()

  function keep(entries: ReadonlyMap<string, Loaded>): void {
    for (const [stream, loaded] of entries) {
      cached.delete(stream) // re-inserted at the end: the map's order is the order of use
      cached.set(stream, loaded)
    }
    for (const stream of cached.keys()) {
      if (cached.size <= maxCached) return
      cached.delete(stream)
    }
  }

  return {
    /** Forget everything, or one session that somebody else may have stepped meanwhile. */
    drop(session?: string): void {
      for (const [stream, loaded] of cached)
        if (session === undefined || loaded.session === session) cached.delete(stream)
    },
    /** One transaction: several savepoints, one commit. */
    group(start: Head, now: { readonly at: number; readonly awake: number }) {
      const changed = new Map<string, Loaded>()
      let groupHead = start
      return {
        savepoint() {
          const own = new Map<string, Loaded | null>()
          let head = groupHead
          const working: Working = {
            ...now,
            get head() {
              return head
            },
            load(stream) {
              const known = own.get(stream) ?? changed.get(stream) ?? cached.get(stream)
              if (known !== undefined || own.has(stream)) return known ?? null
              const loaded = read(stream)
              own.set(stream, loaded)
              return loaded
            },
            advance(row, loaded) {
              head = { position: row.position, hash: row.hash }
              own.set(row.stream, loaded)
            },
          }
          const merge = () => {
            for (const [stream, loaded] of own) if (loaded !== null) changed.set(stream, loaded)
            groupHead = head
          }
          return { working, merge }
        },
        head: () => groupHead,
        committed: () => keep(changed),
      }
    },
  }
}
