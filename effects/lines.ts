/**
 * Bytes to lines. Splits on `\n` and nothing else, decodes whole lines only, and keeps at most one line.
 * It interprets nothing: a `\r`, an empty line and bytes that are not UTF-8 are the adapter's to judge.
 */
import type { SpoolLine } from "./agent.ts"

/** How much of a line over the limit is kept. */
export const HEAD_BYTES = 4 * 1024

const NEWLINE = 0x0a

/** Feed it the spool's bytes in order; the same lines come out wherever the bytes were cut. */
export class LineSplitter {
  readonly #maxLineBytes: number
  /** Where the line being collected starts, and how many of its bytes came so far. */
  #start: number
  #length = 0
  #kept: Uint8Array = new Uint8Array(0)

  /** @param offset where the first byte to be pushed is in the spool; it must be a line's start. */
  constructor(options: { readonly maxLineBytes: number; readonly offset?: number }) {
    this.#maxLineBytes = options.maxLineBytes
    this.#start = options.offset ?? 0
  }

  /** The start of the first line not yet given out: what may be committed. */
  get lineStart(): number {
    return this.#start
  }

  /** The position of the next byte expected. */
  get position(): number {
    return this.#start + this.#length
  }

  /** `offset` is the position of the chunk's first byte. The chunk may be reused after the call. */
  push(chunk: Uint8Array, offset: number): SpoolLine[] {
    if (offset !== this.position) throw new RangeError(`bytes at ${offset}, expected ${this.position}`)
    const lines: SpoolLine[] = []
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      this.#collect(chunk.subarray(from, to))
      lines.push(this.#line(1))
      from = to + 1
    }
    this.#collect(chunk.subarray(from))
    return lines
  }

  /** The last line, if the spool ends without a newline. */
  flush(): SpoolLine | null {
    return this.#length === 0 ? null : this.#line(0)
  }

  #collect(bytes: Uint8Array): void {
    const room = this.#maxLineBytes - this.#length
    if (room > 0) this.#keep(bytes.subarray(0, room))
    this.#length += bytes.length
    // From here on only the head will be asked for.
    if (this.#length > this.#maxLineBytes && this.#kept.length > HEAD_BYTES) {
      this.#kept = this.#kept.slice(0, HEAD_BYTES)
    }
  }

  /** Doubles, so that a line that comes byte by byte costs no more than one that comes at once. */
  #keep(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length
    if (needed > this.#kept.length) {
      const size = Math.min(this.#maxLineBytes, Math.max(needed, this.#kept.length * 2, 256))
      const larger = new Uint8Array(size)
      larger.set(this.#kept.subarray(0, this.#length))
      this.#kept = larger
    }
    this.#kept.set(bytes, this.#length)
  }

  #line(newline: 0 | 1): SpoolLine {
    const offset = this.#start
    const bytes = this.#length
    const next = offset + bytes + newline
    const line: SpoolLine =
      bytes > this.#maxLineBytes
        ? { kind: "tooLong", head: this.#head(), bytes, offset, next }
        : { kind: "line", text: decode(this.#kept.subarray(0, bytes)), offset, next }
    this.#start = next
    this.#length = 0
    this.#kept = new Uint8Array(0)
    return line
  }

  #head(): string {
    const head = this.#kept.subarray(0, Math.min(HEAD_BYTES, this.#maxLineBytes))
    // `stream` leaves out a character that the cut has split.
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(head, { stream: true })
  }
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8")
}
