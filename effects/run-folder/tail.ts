/**
 * Reading a spool while it grows. Pull only: whoever calls decides when. Memory is one chunk and one line,
 * whatever the agent prints (I16). It translates nothing and commits nothing.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { Effect } from "effect"
import type { SpoolLine } from "../agent.ts"
import { LineSplitter } from "../lines.ts"
import { type RunFolderError, runFolderError } from "./errors.ts"
import { Growing } from "./growing.ts"

export interface TailRead {
  readonly lines: readonly SpoolLine[]
  /** The start of the first line not given out yet: what may be committed. */
  readonly offset: number
  /** The file no longer begins with what had been read: reading began again at 0, and `lines` are from there. */
  readonly truncated: boolean
  /** There is more in the file than was read: ask again at once. */
  readonly more: boolean
  /** Size of the file when it was asked. */
  readonly size: number
}

export interface TailOptions {
  readonly run: string
  readonly path: string
  /** A line's start. Default 0. */
  readonly offset?: number
  readonly maxLineBytes: number
  /** Default 64 KiB. */
  readonly chunkBytes?: number
}

export class SpoolTail {
  readonly #fd: number
  readonly #options: TailOptions
  readonly #file: Growing
  #lines: LineSplitter
  #open = true

  private constructor(fd: number, options: TailOptions) {
    this.#fd = fd
    this.#options = options
    this.#file = new Growing(options.chunkBytes ?? 64 * 1024)
    this.#lines = new LineSplitter({ maxLineBytes: options.maxLineBytes, offset: options.offset ?? 0 })
  }

  /** Close it when done; it holds one descriptor and one chunk. */
  static open(options: TailOptions): Effect.Effect<SpoolTail, RunFolderError> {
    return attempt(options.run, () => new SpoolTail(openSync(options.path, "r"), options))
  }

  /** At most one chunk. */
  get read(): Effect.Effect<TailRead, RunFolderError> {
    return attempt(this.#options.run, () => this.#read())
  }

  /** The last line, if the spool ends without a newline. Only once nobody writes and `more` is false. */
  finish(): SpoolLine | null {
    return this.#lines.flush()
  }

  close(): void {
    if (this.#open) closeSync(this.#fd)
    this.#open = false
  }

  #read(): TailRead {
    const { bytes, at, replaced, size } = this.#file.read(this.#fd, this.#lines.position)
    if (replaced) this.#lines = new LineSplitter({ maxLineBytes: this.#options.maxLineBytes })
    const lines = this.#lines.push(bytes, at)
    const more = at + bytes.length < size && bytes.length > 0
    return { lines, offset: this.#lines.lineStart, truncated: replaced, more, size }
  }
}

/** The last `maxBytes` of a file as text, beginning at a whole character. */
export function readEnd(
  run: string,
  path: string,
  maxBytes = 64 * 1024,
): Effect.Effect<string, RunFolderError> {
  return attempt(run, () => {
    const fd = openSync(path, "r")
    try {
      const { size } = fstatSync(fd)
      const from = Math.max(0, size - maxBytes)
      const bytes = Buffer.alloc(Math.min(size, maxBytes))
      const end = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from))
      return end.subarray(from === 0 ? 0 : continuation(end)).toString("utf8")
    } finally {
      closeSync(fd)
    }
  })
}

/** How many bytes at the start belong to a character that began before. */
function continuation(bytes: Uint8Array): number {
  let count = 0
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count += 1
  return count
}

function attempt<A>(run: string, act: () => A): Effect.Effect<A, RunFolderError> {
  return Effect.try({ try: act, catch: cause => runFolderError("tail", run, cause) })
}
