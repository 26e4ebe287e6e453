/** Lines as `codex exec --json` writes them, in our own words, and a run of the translator over them, frozen on the way. */
import { codexFailures } from "../../../adapters/agents/codex/failures.ts"
import { codexTranslator } from "../../../adapters/agents/codex/stream/translator.ts"
import type { Ending, RunStart, SpoolLine } from "../../../effects/agent.ts"
import { playedBy } from "../played.ts"

export const thread = "01a0f3c2-7d11-7c55-9a01-5f1d2c3b4a69"
export const translator = codexTranslator(codexFailures)
export const fresh: RunStart = { resume: null, usageBefore: null }

type Fields = Readonly<Record<string, unknown>>
const line = (type: string, fields: Fields = {}) => JSON.stringify({ type, ...fields })

export const began = [line("thread.started", { thread_id: thread }), line("turn.started")]
export const item = (
  phase: "started" | "updated" | "completed",
  id: number,
  type: string,
  fields: Fields = {},
) => line(`item.${phase}`, { item: { id: `item_${id}`, type, ...fields } })
export const message = (id: number, text: string) => item("completed", id, "agent_message", { text })
export const shell = (id: number, command: string, exitCode: number | null, output = "") =>
  item(exitCode === null ? "started" : "completed", id, "command_execution", {
    command,
    aggregated_output: output,
    exit_code: exitCode,
    status: exitCode === null ? "in_progress" : exitCode === 0 ? "completed" : "failed",
  })
export const usage = (factor = 1) => ({
  input_tokens: 120 * factor,
  cached_input_tokens: 20 * factor,
  cache_write_input_tokens: 5 * factor,
  output_tokens: 15 * factor,
  reasoning_output_tokens: 3 * factor,
})
/** The same in our words. */
export const used = (factor = 1) => ({
  inputTokens: 95 * factor,
  outputTokens: 15 * factor,
  cacheReadTokens: 20 * factor,
  cacheWriteTokens: 5 * factor,
})
export const completed = (factor = 1) => line("turn.completed", { usage: usage(factor) })
export const failed = (message: string) => line("turn.failed", { error: { message } })
export const error = (message: string) => line("error", { message })

export const exited = (status: number | null, stderr = ""): Ending => ({ status, stderr })

export function play(lines: readonly (string | SpoolLine)[], ending: Ending = exited(0), start = fresh) {
  const played = playedBy(translator, start, lines, ending)
  const { events, conclusion } = played
  const streamed = events.flatMap(event => (event.type === "text.delta" ? [event.text] : [])).join("")
  return { ...played, streamed, verdict: conclusion.verdict }
}
