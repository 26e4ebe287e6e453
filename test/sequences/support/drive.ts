/** Plays a sequence, step by step, with real hosts and real agents. It judges nothing. */
import { until } from "../../recovery/support/until.ts"
import { isEndless, type Prompt, promptOf, secretOf } from "./behaviours.ts"
import { erase, type Kept } from "./erasing.ts"
import type { Sent } from "./evidence.ts"
import type { Hosts } from "./hosts.ts"
import { reached } from "./moments.ts"
import type { Place } from "./place.ts"
import type { SessionNumber, Step, StepOf } from "./script.ts"

/** Everything that a sequence is played with. */
export interface Around {
  readonly place: Place
  readonly hosts: Hosts
  readonly drive: Drive
}

export class Drive {
  readonly sent: Sent[] = []
  /** By session that was, or may have been, erased. */
  readonly kept = new Map<string, Kept>()
  readonly #place: Place
  readonly #hosts: Hosts
  #prompts = 0

  constructor(place: Place, hosts: Hosts) {
    this.#place = place
    this.#hosts = hosts
  }

  get #around(): Around {
    return { place: this.#place, hosts: this.#hosts, drive: this }
  }

  async perform(step: Step): Promise<void> {
    switch (step.do) {
      case "open":
        return this.#hosts.open(step.dies === null ? [] : [{ act: "kill", event: "*", ...step.dies }])
      case "send":
        return this.#send(
          nameOf(step.session),
          this.#prompt(step.plays),
          step.named ? `order-${this.#prompts}` : null,
        )
      case "again":
        return this.#again(step)
      case "interrupt":
        return this.#interrupt(step)
      case "kill":
        return this.#kill(step)
      case "rest":
        return this.rest()
      case "close":
        await this.#hosts.close(step.leave)
        return
      case "erase":
        return erase(this.#around, nameOf(step.session))
      case "pause":
      case "resume":
      case "archive":
      case "dispose": {
        const session = nameOf(step.session)
        if (this.#place.session(session) === null) return
        await this.#hosts.open()
        await this.#hosts.ask({ do: step.do, session })
      }
    }
  }

  /** The turn runs until somebody ends it. */
  isEndless(turn: string): boolean {
    return this.sent.some(one => one.turn === turn && isEndless(one.prompt))
  }
  /** Until nothing runs that ends by itself; of a host that dies meanwhile nothing is waited for. */
  async rest(session?: string): Promise<void> {
    await until("nothing runs that ends by itself", () => {
      const rows = this.#place.sessions().filter(row => session === undefined || row.session === session)
      const resting = rows.every(({ currentTurn }) => currentTurn === null || this.isEndless(currentTurn))
      return !this.#hosts.isOpen || resting
    })
  }
  /** The words of a session that nothing may hold once it was erased. */
  secrets(session: string): readonly string[] {
    return this.sent.filter(one => one.session === session).map(one => secretOf(one.prompt))
  }

  #prompt(plays: Prompt["plays"]): Prompt {
    this.#prompts += 1
    return promptOf(this.#prompts, plays)
  }

  async #send(session: string, prompt: Prompt, id: string | null): Promise<void> {
    await this.#hosts.open()
    const asked = { do: "send", session, id, prompt: prompt.text } as const
    const { answer, turn } = await this.#hosts.askFor(asked)
    const told = answer.died ? "died" : answer.code === null ? "accepted" : { refused: answer.code }
    this.sent.push({ session, id, prompt, turn, answer: told })
  }

  async #again({ nth, other }: StepOf<"again">): Promise<void> {
    const named = this.sent.filter(one => one.id !== null)
    const before = named[nth % Math.max(1, named.length)]
    if (before === undefined) return
    await this.#send(before.session, other ? this.#prompt(before.prompt.plays) : before.prompt, before.id)
  }

  async #interrupt({ session: number, which, afterMs, wait }: StepOf<"interrupt">): Promise<void> {
    if (afterMs > 0) await new Promise(resolve => setTimeout(resolve, afterMs))
    const session = nameOf(number)
    const waiting = this.#place.turns(session).findLast(row => row.state === "queued")?.turn ?? null
    const turn = which === "waiting" ? waiting : (this.#place.session(session)?.currentTurn ?? null)
    if (turn === null) return
    await this.#hosts.open()
    this.#hosts.order({ do: "interrupt", session, turn })
    if (wait) await this.#hosts.caughtUp()
  }

  async #kill(kill: StepOf<"kill">): Promise<void> {
    if (this.#hosts.isOpen) await reached(kill, this.#around)
    await this.#hosts.kill()
    if (kill.all) await this.#place.endRuns()
  }
}

export const nameOf = (session: SessionNumber): string => `s${session}`
