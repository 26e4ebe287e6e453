/** A verb in the test's own process: the same code from the words to the exit code, without the cost of a start. */
import { perform } from "../../adapters/cli/main.ts"
import type { Output } from "../../adapters/cli/output.ts"
import type { Line } from "./lines.ts"

/** What a verb said that ran in the test's own process: enough for verbs that read, and for refusals. */
export interface Answer {
  readonly code: number
  readonly lines: readonly Line[]
  readonly text: string
  readonly notes: readonly string[]
}

export async function ask(words: readonly string[]): Promise<Answer> {
  const json = words.includes("--json")
  const lines: Line[] = []
  const notes: string[] = []
  let text = ""
  const output: Output = {
    json,
    shared: false,
    gone: new AbortController().signal,
    record(fields) {
      if (json) lines.push(JSON.parse(JSON.stringify(fields)) as Line)
    },
    text(more) {
      if (!json) text += more
    },
    note(line) {
      if (!json) notes.push(line)
    },
    room: async () => undefined,
    flushed: async () => undefined,
  }
  const code = await perform(words, output)
  return { code, lines, text, notes }
}
