/**
 * Reading one run's spool as a reader wants it: the agent's events, each with its line and index. It reads from
 * the first byte always, since a translation has state, and gives out what the reader has not had yet.
 */
import { closeSync, openSync } from "node:fs"
import type { AgentEvent, RunStart, SpoolLine, Translator } from "../agent.ts"
import { guarded } from "../guarded.ts"
import { LineSplitter } from "../lines.ts"
import { Growing } from "../run-folder/growing.ts"

export interface SpoolEvent {
  readonly event: AgentEvent
  readonly offset: number
  readonly index: number
}

const chunkBytes = 64 * 1024

export class SpoolReader {
  readonly #path: string
  readonly #translator: Translator
  readonly #maxLineBytes: number
  readonly #file = new Growing(chunkBytes)
  #splitter: LineSplitter
  #state: unknown
  #fd: number | null = null

  constructor(path: string, translator: Translator, start: RunStart, maxLineBytes: number) {
    this.#path = path
    this.#translator = guarded(translator)
    this.#maxLineBytes = maxLineBytes
    this.#splitter = new LineSplitter({ maxLineBytes })
    this.#state = translator.initial(start)
  }

  /** The terminal line was read: there is nothing more for a reader. */
  get ended(): boolean {
    return this.#translator.ended(this.#state)
  }

  /** The byte after the last whole line. */
  get position(): number {
    return this.#splitter.lineStart
  }

  /** The next chunk's events, or null when there is nothing to read now. `missing` when there is no spool (any more). */
  read(): readonly SpoolEvent[] | null | "missing" {
    if (this.ended) return null
    const fd = this.#open()
    if (fd === null) return "missing"
    const { bytes, at, replaced } = this.#file.read(fd, this.#splitter.position)
    // That it was emptied is told by the log, alike to those who read before and after.
    if (replaced) this.#splitter = new LineSplitter({ maxLineBytes: this.#maxLineBytes })
    if (bytes.length === 0) return null
    return this.#splitter.push(bytes, at).flatMap(line => this.#translate(line))
  }

  /** The last line, if it has no newline; only when nobody writes any more. */
  finish(): readonly SpoolEvent[] {
    const line = this.ended ? null : this.#splitter.flush()
    return line === null ? [] : this.#translate(line)
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }

  #translate(line: SpoolLine): SpoolEvent[] {
    if (this.ended) return []
    const { state, events } = this.#translator.line(this.#state, line)
    this.#state = state
    return events.map((event, index) => ({ event, offset: line.offset, index }))
  }

  #open(): number | null {
    try {
      this.#fd ??= openSync(this.#path, "r")
      return this.#fd
    } catch {
      return null
    }
  }
}
