/** Bytes to lines: the same lines, however the bytes were cut. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { SpoolLine } from "../../effects/agent.ts"
import { HEAD_BYTES, LineSplitter } from "../../effects/lines.ts"

function split(pieces: readonly Uint8Array[], maxLineBytes: number, offset = 0): SpoolLine[] {
  const splitter = new LineSplitter({ maxLineBytes, offset })
  const lines = pieces.flatMap(piece => {
    // The chunk is overwritten after each push, as a reused read buffer would be.
    const chunk = Buffer.from(piece)
    const found = splitter.push(chunk, splitter.position)
    chunk.fill(0x58)
    return found
  })
  const last = splitter.flush()
  return last === null ? lines : [...lines, last]
}

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const edges = [0, ...cuts.map(cut => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
}

/** Text with multi-byte characters, real U+FFFD, carriage returns, bytes that are no UTF-8, and newlines. */
const spool = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }).map(text => Buffer.from(text)),
      fc
        .constantFrom("\n", "\r\n", "\n\n", "\u2028", "\ufffd", "🙂", "\ufeff", "\0")
        .map(text => Buffer.from(text)),
      fc.uint8Array({ maxLength: 8 }).map(bytes => Buffer.from(bytes)),
    ),
    { maxLength: 30 },
  )
  .map(parts => Buffer.concat(parts))

describe("I15: bytes in, bytes out", () => {
  test("any cut of the bytes gives the same lines", () => {
    fc.assert(
      fc.property(
        spool,
        fc.array(fc.nat()),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(1000),
        (bytes, cuts, max, at) => {
          expect(split(cutAt(bytes, cuts), max, at)).toEqual(split([bytes], max, at))
        },
      ),
      { numRuns: 500 },
    )
  })

  test("every offset is exact, and together the lines are all of the bytes", () => {
    fc.assert(
      fc.property(spool, fc.array(fc.nat()), fc.integer({ min: 1, max: 40 }), (bytes, cuts, max) => {
        let next = 0
        for (const line of split(cutAt(bytes, cuts), max)) {
          expect(line.offset).toBe(next)
          next = line.next
          const raw = bytes.subarray(line.offset, line.next)
          const newline = raw.indexOf(0x0a)
          const own = newline === -1 ? raw : raw.subarray(0, newline)
          expect(newline === -1 ? line.next : line.offset + newline + 1).toBe(
            newline === -1 ? bytes.length : line.next,
          )
          if (line.kind === "line") {
            expect(own.length).toBeLessThanOrEqual(max)
            expect(line.text).toBe(own.toString("utf8"))
          } else {
            expect(own.length).toBeGreaterThan(max)
            expect(line.bytes).toBe(own.length)
          }
        }
        expect(next).toBe(bytes.length)
      }),
      { numRuns: 500 },
    )
  })

  test("byte by byte, no character is cut", () => {
    const bytes = Buffer.from("é🙂\ufffd\r\n\u2028x\n")
    const pieces = Array.from(bytes, byte => Uint8Array.of(byte))
    expect(split(pieces, 100).map(line => line.kind === "line" && line.text)).toEqual([
      "é🙂\ufffd\r",
      "\u2028x",
    ])
  })
})

describe("I14: nothing is dropped in silence", () => {
  test("a line over the limit leaves a marker with its head, and the next line is whole", () => {
    const long = `${"é".repeat(HEAD_BYTES)}\nnext\n`
    const [marker, next] = split([Buffer.from(long)], 5_001)
    expect(marker).toEqual({
      kind: "tooLong",
      head: "é".repeat(HEAD_BYTES / 2),
      bytes: 2 * HEAD_BYTES,
      offset: 0,
      next: 2 * HEAD_BYTES + 1,
    })
    expect(next).toMatchObject({ kind: "line", text: "next" })
  })

  test("a head that would end inside a character ends before it", () => {
    const [marker] = split([Buffer.from(`x${"é".repeat(HEAD_BYTES)}\n`)], 5_000)
    expect(marker).toMatchObject({ kind: "tooLong", head: `x${"é".repeat(HEAD_BYTES / 2 - 1)}` })
  })

  test("a line of exactly the limit is a line", () => {
    expect(split([Buffer.from("12345\n")], 5)).toMatchObject([{ kind: "line", text: "12345" }])
    expect(split([Buffer.from("123456\n")], 5)).toMatchObject([{ kind: "tooLong", bytes: 6 }])
  })

  test("empty lines and a last line without newline are lines", () => {
    expect(split([Buffer.from("\n\nend")], 10)).toEqual([
      { kind: "line", text: "", offset: 0, next: 1 },
      { kind: "line", text: "", offset: 1, next: 2 },
      { kind: "line", text: "end", offset: 2, next: 5 },
    ])
  })

  test("bytes from elsewhere in the spool are refused", () => {
    expect(() => new LineSplitter({ maxLineBytes: 10 }).push(Buffer.from("x"), 1)).toThrow(RangeError)
  })
})

test("I16: what a line costs is bounded by the limit, not by what is printed", () => {
  const splitter = new LineSplitter({ maxLineBytes: 1 << 20 })
  const chunk = Buffer.alloc(1 << 16, "x")
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 4_096; i += 1) splitter.push(chunk, splitter.position)
  expect(splitter.position).toBe(1 << 28)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 << 20)
  expect(splitter.flush()).toMatchObject({ kind: "tooLong", bytes: 1 << 28 })
})
