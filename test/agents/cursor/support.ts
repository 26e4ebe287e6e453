/**
 * Lines as Cursor's CLI writes them, in our own words, and a run of the translator over them. Every state is
 * frozen to its depths on the way, so a translator that changes one fails every test here.
 */

import { cursorFailures } from "../../../adapters/agents/cursor/failures/table.ts"
import type { CursorState } from "../../../adapters/agents/cursor/stream/state.ts"
import { cursorTranslator } from "../../../adapters/agents/cursor/stream/translator.ts"
import type { AgentEvent, Ending, SpoolLine } from "../../../effects/agent.ts"
import { type Played as PlayedBy, playedBy } from "../played.ts"

export const session = "3f0c6f0e-8f6f-4a5e-9d34-0d7f3a1b2c4d"
export const translator = cursorTranslator(cursorFailures)

type Fields = Readonly<Record<string, unknown>>

export const line = (type: string, fields: Fields = {}) =>
  JSON.stringify({ type, session_id: session, ...fields })
export const init = (fields: Fields = {}) =>
  line("system", { subtype: "init", apiKeySource: "env", cwd: "/w", model: "Composer 2.5", ...fields })
const said = (text: string) => ({ message: { role: "assistant", content: [{ type: "text", text }] } })
/** New text. */
export const delta = (text: string) => line("assistant", { ...said(text), timestamp_ms: 1 })
/** The repeat of a segment before a tool call. */
export const flush = (text: string) =>
  line("assistant", { ...said(text), timestamp_ms: 1, model_call_id: "m-0-a" })
/** The repeat at the end of a turn. */
export const last = (text: string) => line("assistant", said(text))
export const tool = (subtype: string, call: string, body: Fields) =>
  line("tool_call", { subtype, call_id: call, tool_call: body, model_call_id: "m-0-a", timestamp_ms: 1 })
export const usage = { inputTokens: 12, outputTokens: 3, cacheReadTokens: 40, cacheWriteTokens: 0 }
export const result = (text: string, fields: Fields = {}) =>
  line("result", { subtype: "success", is_error: false, duration_ms: 5, result: text, usage, ...fields })

export interface Played extends PlayedBy<CursorState> {
  readonly types: readonly string[]
  /** The streamed text of each block. */
  readonly blocks: readonly string[]
}

export const exited = (status: number | null, stderr = ""): Ending => ({ status, stderr })

export function play(
  lines: readonly (string | SpoolLine)[],
  ending: Ending = exited(0),
  resume: string | null = null,
): Played {
  const played = playedBy(translator, { resume, usageBefore: null }, lines, ending)
  return { ...played, types: played.events.map(event => event.type), blocks: blocksOf(played.events) }
}

export const tooLong = (head: string): SpoolLine => ({
  kind: "tooLong",
  head,
  bytes: 20_000_000,
  offset: 0,
  next: 1,
})

function blocksOf(events: readonly AgentEvent[]): readonly string[] {
  const blocks: string[] = []
  for (const event of events) {
    if (event.type === "text.delta") blocks[event.block] = (blocks[event.block] ?? "") + event.text
  }
  return blocks
}

/** Whole lines from chunks of bytes: enough of a splitter to feed the translator, split on `\n` only. */
export function linesOf(chunks: readonly Uint8Array[]): readonly string[] {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const text = chunks.map(chunk => decoder.decode(chunk, { stream: true })).join("") + decoder.decode()
  const lines = text.split("\n")
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
}
