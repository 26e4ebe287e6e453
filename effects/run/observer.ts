/**
 * From an agent's lines to the inputs of its run: which of what a reader sees is a fact for the log, with the
 * place in the spool it came from and none of its text. It reads no file and decides nothing.
 */
import type { Input } from "../../machines/kernel.ts"
import type { NoticeCode } from "../../machines/words.ts"
import type { AgentEvent, Conclusion, Ending, Notice, RunStart, SpoolLine, Translator } from "../agent.ts"
import { guarded } from "../guarded.ts"

/** Notices of one code that a run's log keeps; the readers see them all. */
const maxNotices = 16
/** Calls whose end is awaited; the oldest is given up first. */
const maxOpenCalls = 1024

export class RunObserver {
  readonly #translator: Translator
  #state: unknown
  /** Inputs of lines before this byte are in the log already. */
  readonly #committed: number
  readonly #calls = new Map<string, number>()
  #toolCount = 0
  #identified: string | null = null
  readonly #notices = new Map<NoticeCode, number>()
  #spoke = false
  #waiting = false
  #emitted = false
  #cursor = 0

  constructor(translator: Translator, start: RunStart, committed: number) {
    this.#translator = guarded(translator)
    this.#state = translator.initial(start)
    this.#committed = committed
  }

  /** The terminal line was seen; lines after it are not for the outcome. */
  get ended(): boolean {
    return this.#translator.ended(this.#state)
  }
  /** Text or a tool call reached a reader. */
  get emitted(): boolean {
    return this.#emitted
  }
  /** The agent's last words were that it waits for its connection: nothing goes on, however often it says so. */
  get waiting(): boolean {
    return this.#waiting
  }
  /** The byte after the last line taken. */
  get cursor(): number {
    return this.#cursor
  }

  take(line: SpoolLine): Input[] {
    if (this.ended) return []
    const { state, events } = this.#translator.line(this.#state, line)
    this.#state = state
    this.#cursor = line.next
    this.#waiting = events.length > 0 && events.every(isReconnecting)
    const inputs = events.flatMap(event => this.#observe(event, line.next))
    return line.offset >= this.#committed ? inputs : []
  }

  conclude(ending: Ending): Conclusion {
    return this.#translator.conclude(this.#state, ending)
  }

  /** The spool was cut behind our back: what follows is read from its new beginning. */
  truncated(): Input[] {
    return this.#notice("spoolTruncated", 1, this.#cursor)
  }

  /** Notices that only the end could count, as inputs at the place where reading stands. */
  noticed(notices: readonly Notice[]): Input[] {
    return notices.flatMap(({ code, count }) => this.#notice(code, count, this.#cursor))
  }

  #observe(event: AgentEvent, cursor: number): Input[] {
    switch (event.type) {
      case "run.identified":
        if (event.conversation === "" || event.conversation === this.#identified) return []
        this.#identified = event.conversation
        return [{ type: "identified", cursor, conversation: event.conversation }]
      case "text.delta": {
        this.#emitted = true
        if (this.#spoke) return []
        this.#spoke = true
        return [{ type: "spoke", cursor }]
      }
      case "tool.started":
        return [this.#started(event.call, event.timeoutMs, cursor)]
      case "tool.completed": {
        this.#emitted = true
        const tool = this.#calls.get(event.call)
        this.#calls.delete(event.call)
        if (tool === undefined) return []
        return [{ type: "toolCompleted", cursor, tool, denied: event.status === "denied" }]
      }
      case "notice":
        return this.#notice(event.code, event.count, cursor)
      case "thinking.delta":
      case "usage.reported":
        return []
    }
  }

  #started(call: string, patienceMs: number | null, cursor: number): Input {
    this.#emitted = true
    const tool = this.#toolCount++
    const oldest = this.#calls.keys().next()
    if (this.#calls.size >= maxOpenCalls && !oldest.done) this.#calls.delete(oldest.value)
    this.#calls.set(call, tool)
    return { type: "toolStarted", cursor, tool, patienceMs }
  }

  #notice(code: NoticeCode, count: number, cursor: number): Input[] {
    const seen = this.#notices.get(code) ?? 0
    this.#notices.set(code, seen + 1)
    return seen < maxNotices ? [{ type: "noticed", cursor, code, count }] : []
  }
}

const isReconnecting = (event: AgentEvent): boolean =>
  event.type === "notice" && event.code === "agentReconnecting"
