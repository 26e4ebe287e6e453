/**
 * The stream as Cursor writes it: which lines a piece of text becomes with and without
 * `--stream-partial-output`, when a segment is repeated, and what `--output-format` leaves of it all.
 * It knows shapes only: nothing here waits, touches a file, or decides what is said.
 */
import { randomBytes, randomUUID } from "node:crypto"
import type { OutputFormat } from "./flags.ts"
import type { Output } from "./output.ts"
import type { Json, ResultStep } from "./scenario.ts"

export type Shape = "partial" | "segments"

export interface Stream {
  readonly requestId: string
  readonly modelCallId: string
  /** Everything said in this turn: all segments, with nothing between them. */
  said(): string
  event(event: Readonly<Record<string, Json>>): Promise<void>
  thought(delta: string | null): Promise<void>
  say(delta: string): Promise<void>
  /** A tool call ends a segment; the segment is repeated whole, with both marks. */
  endSegment(): Promise<void>
  finish(step: ResultStep, usage: Json): Promise<void>
}

export const createStream = (
  out: Output,
  session: string,
  format: OutputFormat,
  shape: Shape,
  startedAt: number,
): Stream => {
  const requestId = randomUUID()
  let calls = 0
  let suffix = randomBytes(2).toString("hex")
  let segment = ""
  let whole = ""

  const modelCallId = (): string => `${requestId}-${calls}-${suffix}`
  const event = async (one: Readonly<Record<string, Json>>): Promise<void> => {
    if (format === "stream-json") await out.line(JSON.stringify(one))
  }
  const assistant = (text: string, marks: Readonly<Record<string, Json>>): Promise<void> =>
    event({
      type: "assistant",
      message: { role: "assistant", content: [{ type: "text", text }] },
      session_id: session,
      ...marks,
    })
  return {
    requestId,
    get modelCallId() {
      return modelCallId()
    },
    said: () => whole,
    event,
    thought: delta =>
      event({
        type: "thinking",
        subtype: delta === null ? "completed" : "delta",
        ...(delta !== null && { text: delta }),
        session_id: session,
        timestamp_ms: Date.now(),
      }),
    say: async delta => {
      segment += delta
      whole += delta
      if (shape === "partial") await assistant(delta, { timestamp_ms: Date.now() })
    },
    endSegment: async () => {
      if (segment === "") return
      await assistant(segment, { model_call_id: modelCallId(), timestamp_ms: Date.now() })
      segment = ""
      calls += 1
      suffix = randomBytes(2).toString("hex")
    },
    finish: async (step, usage) => {
      const flush = step.flush ?? "segment"
      const repeated = flush === "turn" ? whole : segment
      if (flush !== "none" && repeated !== "") await assistant(repeated, {})
      const elapsedMs = Date.now() - startedAt
      const result: Record<string, Json> = {
        type: "result",
        subtype: step.subtype ?? "success",
        duration_ms: elapsedMs,
        duration_api_ms: elapsedMs,
        is_error: step.isError ?? false,
        result: step.text ?? whole,
        session_id: session,
        request_id: requestId,
        ...(usage !== null && { usage }),
      }
      if (format === "text") out.print(`${step.text ?? segment}\n`)
      else await out.line(JSON.stringify(result))
      segment = ""
    },
  }
}
