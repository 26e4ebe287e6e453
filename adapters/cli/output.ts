/**
 * The command's two streams. stdout carries what was asked for, stderr everything around it; with `--json` stdout
 * carries JSON lines and nothing else, and stderr stays silent. A reader that has gone is noted, never an error.
 */
import { once } from "node:events"
import type { Writable } from "node:stream"

export interface Output {
  readonly json: boolean
  /** stdout and stderr end up on one screen, so that what is written to one is seen beside the other. */
  readonly shared: boolean
  /** Nobody reads stdout any more. */
  readonly gone: AbortSignal
  /** A JSON line; only with `--json`. */
  record(fields: Readonly<Record<string, unknown>>): void
  /** Text for stdout, as it is; only without `--json`. */
  text(text: string): void
  /** A line for the person; only without `--json`. */
  note(line: string): void
  /** Resolves when a reader that is slower than we are has caught up: whoever reads on before holds it all in memory. */
  room(): Promise<void>
  /** Resolves when everything has left this process. */
  flushed(): Promise<void>
}

export function openOutput(json: boolean): Output {
  const { stdout, stderr } = process
  const gone = new AbortController()
  const shared = stdout.isTTY === true && stderr.isTTY === true
  const lost = () => {
    if (gone.signal.aborted) return
    gone.abort()
    if (!json) stderr.write("holdfast: nobody reads the output any more.\n")
  }
  stdout.on("error", lost)
  stderr.on("error", () => undefined) // and nobody is left to tell

  const write = (text: string) => {
    if (!gone.signal.aborted) stdout.write(text)
  }
  return {
    json,
    shared,
    gone: gone.signal,
    record(fields) {
      if (json) write(`${JSON.stringify(fields)}\n`)
    },
    text(text) {
      if (!json) write(text)
    },
    note(line) {
      if (!json) stderr.write(`${line}\n`)
    },
    async room() {
      if (!stdout.writableNeedDrain || gone.signal.aborted) return
      await once(stdout, "drain", { signal: gone.signal }).catch(() => undefined)
    },
    async flushed() {
      await Promise.all([drained(stdout), drained(stderr)])
    },
  }
}

function drained(stream: Writable): Promise<void> {
  return stream.destroyed || stream.errored !== null
    ? Promise.resolve()
    : new Promise(resolve => stream.write("", () => resolve()))
}
