/** The hosts of one sequence, one at a time, and everything that is heard of them. Which one lives is known here only. */
import type { Point } from "../../recovery/fixtures/plan.ts"
import type { Seen } from "../fixtures/words.ts"
import { type Answer, type Asked, Child, type Heard } from "./child.ts"
import type { Evidence } from "./evidence.ts"
import type { Place } from "./place.ts"
import { marked } from "./processes.ts"
import type { Programs } from "./programs.ts"

const nobody: Answer = { died: true, code: null }

export class Hosts {
  readonly heard: Record<string, Seen[]> = {}
  readonly told: Evidence["told"][number][] = []
  readonly broken: string[] = []
  readonly defects: string[] = []
  readonly lingering: Evidence["lingering"][number][] = []
  readonly #programs: Programs
  readonly #place: Place
  #child: Child | null = null
  /** It dies at a point of its log, so that its process is of no use to others. */
  #armed = false
  /** What the living one said that the turns of its orders will be. */
  #turns = new Map<number, string>()
  /** Answers that nobody waits for yet. */
  #pending: Promise<unknown>[] = []
  #stderr = ""

  constructor(programs: Programs, place: Place) {
    this.#programs = programs
    this.#place = place
  }

  get isOpen(): boolean {
    return this.#child?.dead === false
  }
  /** For whoever has to find out why. */
  get complaints(): string {
    return this.#stderr + (this.#child?.stderr ?? "")
  }

  /** Does nothing when one is open. One that is to die may do so before it is. */
  async open(points: readonly Point[] = []): Promise<void> {
    if (this.isOpen) return
    await this.#bury()
    this.#turns = new Map()
    this.#armed = points.length > 0
    this.#child = new Child(this.#programs.take(), word => this.#hear(word))
    const last = Object.entries(this.heard).map(([session, events]) => [session, events.at(-1)?.at])
    const cursors: Record<string, string> = Object.fromEntries(last.filter(([, at]) => at !== undefined))
    const answer = await this.ask({ do: "open", ground: this.#place.ground, points: [...points], cursors })
    if (answer.code !== null) throw new Error(`a host could not be opened: ${answer.code}`)
    if (answer.died && !this.#armed) throw new Error(`a host died while it was opened: ${this.complaints}`)
  }

  async ask(asked: Asked): Promise<Answer> {
    return (await this.askFor(asked)).answer
  }
  /** With the turn that a prompt will be; null when its host died before it said so. */
  async askFor(asked: Asked): Promise<{ readonly answer: Answer; readonly turn: string | null }> {
    if (this.#child === null) return { answer: nobody, turn: null }
    const { n, answer } = this.#child.ask(asked)
    const got = await answer
    if (got.died) await this.#bury()
    else this.#check(asked, got)
    return { answer: got, turn: this.#turns.get(n) ?? null }
  }
  /** The answer is waited for by `caughtUp`. */
  order(asked: Asked): void {
    const answer = this.ask(asked)
    // Whoever catches up gets its error.
    answer.catch(() => undefined)
    this.#pending.push(answer)
  }
  async caughtUp(): Promise<void> {
    await Promise.all(this.#pending.splice(0))
  }

  async kill(): Promise<void> {
    await this.#child?.kill()
    await this.#bury()
  }

  async close(leave: boolean): Promise<Answer> {
    const child = this.#child
    const answer = await this.ask({ do: "close", leave })
    if (child === null || answer.died) return answer
    // What was under way is answered too, a moment after it was closed.
    await this.caughtUp()
    this.#stderr += child.stderr
    child.release()
    if (this.#armed) child.process.kill("SIGKILL")
    else this.#programs.giveBack(child.process)
    this.#child = null
    return answer
  }

  /** One that ended otherwise than by a kill has a fault of its own. */
  async #bury(): Promise<void> {
    const child = this.#child
    if (child === null) return
    const how = await child.gone
    if (this.#child !== child) return
    this.#child = null
    this.#stderr += child.stderr
    if (how !== "SIGKILL") throw new Error(`a host ended by ${how}: ${child.stderr}`)
  }

  /** Refusals are answers; a defect, or an error without a code, never is. */
  #check(asked: Asked, { code }: Answer): void {
    const isRefusal = code === null || (/^[A-Z][A-Z_]+$/.test(code) && !never.has(code))
    if (!isRefusal) this.defects.push(`"${asked.do}" was answered with ${code}`)
  }

  #hear(word: Heard): void {
    switch (word.word) {
      case "sending":
        this.#turns.set(word.n, word.turn)
        return
      case "event": {
        const { session } = word.event
        this.heard[session] = [...(this.heard[session] ?? []), word.event]
        return
      }
      case "settled": {
        const { word: _, ...told } = word
        this.told.push(told)
        const pids = marked(`HOLDFAST_RUN=${word.turn}.`)
        if (pids.length > 0) this.lingering.push({ turn: word.turn, pids })
        return
      }
      case "broken":
        this.broken.push(`a listener of ${word.session}: ${word.message}`)
    }
  }
}

const never = new Set(["MACHINE_DEFECT", "SEND_REFUSED", "DEPOSED", "STREAM_QUARANTINED"])
