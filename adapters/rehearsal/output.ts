/**
 * The agent's two pipes. Writes are synchronous, so that nothing is lost when the process exits right after one.
 * All stdout passes here and nowhere else, because the journal's running hash must cover every byte.
 * A pipe that nobody drains blocks the agent, signals included, as it would block any program that writes this way.
 */
import { createHash } from "node:crypto"
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs"
import { setImmediate as nextTick } from "node:timers/promises"
import type { Journal } from "./journal.ts"
import type { Framing } from "./scenario.ts"

export interface Output {
  /** One line of the stream, framed as the scenario says. */
  line(text: string): Promise<void>
  /** Bytes as they are, in pieces of `splitBytes`. */
  bytes(data: Uint8Array, splitBytes?: number): Promise<void>
  /** Untouched by framing: `--version`, `models`, a plain-text reply. */
  print(text: string): void
  complain(text: string | Uint8Array): void
  close(): void
  truncate(): void
  /** Says in the journal how far stdout got, if it does not know yet. */
  account(): void
}

const ACCOUNT_EVERY_BYTES = 64 * 1024
const EAGAIN_PAUSE_MS = 1
const pause = new Int32Array(new SharedArrayBuffer(4))

const writeAll = (fd: number, data: Uint8Array): void => {
  let from = 0
  while (from < data.length) {
    try {
      from += writeSync(fd, data, from)
    } catch (error) {
      // A non-blocking pipe that is full: wait for its reader.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
      Atomics.wait(pause, 0, 0, EAGAIN_PAUSE_MS)
    }
  }
}

export const createOutput = (journal: Journal, framing: Framing = {}): Output => {
  const hash = createHash("sha256")
  const lineEnd = framing.lineEnd ?? "\n"
  const to = framing.to ?? "stdout"
  let total = 0
  let accounted = 0
  let lines = 0
  let closed = false

  const account = (): void => {
    if (total === accounted) return
    accounted = total
    journal.note({ event: "wrote", bytes: total, sha256: hash.copy().digest("hex") })
  }
  const write = (data: Uint8Array): void => {
    if (closed) return
    writeAll(1, data)
    hash.update(data)
    total += data.length
  }
  const bytes = async (data: Uint8Array, splitBytes?: number): Promise<void> => {
    const size = splitBytes === undefined || splitBytes === 0 ? ACCOUNT_EVERY_BYTES : splitBytes
    for (let from = 0; from < data.length; from += size) {
      // A turn of the event loop between two pieces lets signals in.
      if (from > 0) await nextTick()
      write(data.subarray(from, from + size))
      if (total - accounted >= ACCOUNT_EVERY_BYTES) account()
    }
    account()
  }
  const line = async (text: string): Promise<void> => {
    const first = lines++ === 0
    const mark = first && framing.byteOrderMark === true ? "\ufeff" : ""
    const framed = framing.finalNewline === false ? (first ? "" : lineEnd) + text : text + lineEnd
    const data = Buffer.from(mark + framed)
    if (to !== "stderr") {
      // An unsplit line is one write: a killed agent leaves whole lines behind.
      if (framing.splitBytes !== undefined) await bytes(data, framing.splitBytes)
      else {
        write(data)
        account()
      }
    }
    if (to !== "stdout") writeAll(2, data)
  }
  return {
    line,
    bytes,
    account,
    print: text => {
      write(Buffer.from(text))
      account()
    },
    complain: text => {
      try {
        writeAll(2, typeof text === "string" ? Buffer.from(text) : text)
      } catch (error) {
        // Nobody reads stderr: that is no reason to stop.
        if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error
      }
    },
    close: () => {
      account()
      closed = true
      closeSync(1)
      // The lowest free number is 1: nothing opened later can become "stdout".
      openSync("/dev/null", "w")
    },
    truncate: () => {
      account()
      try {
        ftruncateSync(1, 0)
        journal.note({ event: "truncated" })
      } catch {
        // A pipe has no length to cut.
      }
    },
  }
}
