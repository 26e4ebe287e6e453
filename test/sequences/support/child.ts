/** One host process as a sequence holds it: orders and their answers, what its listeners heard, and its death. */
import type { ChildProcess } from "node:child_process"
import type { Order, Word } from "../fixtures/words.ts"

type Untold<O> = O extends Order ? Omit<O, "n"> : never
export type Asked = Untold<Order>

/** The code of a refusal, null for none. `died`: nobody will ever know. */
export interface Answer {
  readonly died: boolean
  readonly code: string | null
}
/** What it says without being asked. */
export type Heard = Exclude<Word, { readonly word: "answer" }>
const died: Answer = { died: true, code: null }

export class Child {
  readonly process: ChildProcess
  /** How it ended: the signal, or its exit code; all that it said has been heard by then. */
  readonly gone: Promise<NodeJS.Signals | number | null>
  readonly #hear: (word: Heard) => void
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  readonly #gone = Promise.withResolvers<NodeJS.Signals | number | null>()
  #orders = 0
  #dead = false
  #said = ""
  #stderr = ""

  constructor(child: ChildProcess, hear: (word: Heard) => void) {
    this.process = child
    this.#hear = hear
    child.stdout?.setEncoding("utf8").on("data", this.#read)
    child.stderr?.setEncoding("utf8").on("data", this.#complain)
    child.stdin?.on("error", ignore) // it died: `gone` tells
    child.once("close", this.#end)
    this.gone = this.#gone.promise
  }

  get dead(): boolean {
    return this.#dead
  }
  get stderr(): string {
    return this.#stderr
  }

  /** The number of the order, and its answer. */
  ask(asked: Asked): { readonly n: number; readonly answer: Promise<Answer> } {
    this.#orders += 1
    const n = this.#orders
    if (this.#dead) return { n, answer: Promise.resolve(died) }
    const answer = new Promise<Answer>(resolve => this.#waiting.set(n, resolve))
    this.process.stdin?.write(`${JSON.stringify({ ...asked, n })}\n`)
    return { n, answer }
  }

  async kill(): Promise<void> {
    this.process.kill("SIGKILL")
    await this.gone
  }

  /** Hears no more of it; somebody else may. */
  release(): void {
    this.process.stdout?.off("data", this.#read)
    this.process.stderr?.off("data", this.#complain)
    this.process.stdin?.off("error", ignore)
    this.process.off("close", this.#end)
  }

  readonly #end = (code: number | null, signal: NodeJS.Signals | null): void => {
    this.#dead = true
    for (const answer of this.#waiting.values()) answer(died)
    this.#waiting.clear()
    this.#gone.resolve(signal ?? code)
  }
  readonly #complain = (part: string): void => {
    this.#stderr += part
  }
  /** What a kill cut off has no newline, and was not said. */
  readonly #read = (part: string): void => {
    const lines = (this.#said + part).split("\n")
    this.#said = lines.pop() ?? ""
    for (const line of lines) this.#take(JSON.parse(line) as Word) // our own fixture wrote it
  }
  #take(word: Word): void {
    if (word.word !== "answer") {
      this.#hear(word)
      return
    }
    const resolve = this.#waiting.get(word.n)
    this.#waiting.delete(word.n)
    resolve?.({ died: false, code: word.code })
  }
}

const ignore = () => undefined
