/** OpenAI's Responses API as a stream of server-sent events: what codex speaks. */
import { z } from "zod"
import { type Decision, type Part, type Tokens, usualTokens } from "./decision.ts"
import type { Protocol, Said, Step } from "./protocol.ts"

type Item = Readonly<Record<string, unknown>>

const send = (type: string, data: Item): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

const added = (index: number, item: Item) => send("response.output_item.added", { output_index: index, item })
const done = (index: number, item: Item) => send("response.output_item.done", { output_index: index, item })

function text(part: Extract<Part, { kind: "text" }>, index: number, id: string): readonly Step[] {
  const message = { type: "message", id: `msg_${id}`, role: "assistant" }
  const whole = part.pieces.filter(piece => typeof piece === "string").join("")
  const content = [{ type: "output_text", text: whole, annotations: [] }]
  return [
    added(index, { ...message, status: "in_progress", content: [] }),
    ...part.pieces.map(piece =>
      typeof piece === "string"
        ? send("response.output_text.delta", {
            item_id: message.id,
            output_index: index,
            content_index: 0,
            delta: piece,
          })
        : piece,
    ),
    done(index, { ...message, status: "completed", content }),
  ]
}

function thinking(part: Extract<Part, { kind: "thinking" }>, index: number, id: string): readonly Step[] {
  const item = { type: "reasoning", id: `rs_${id}` }
  return [
    added(index, { ...item, summary: [] }),
    done(index, { ...item, summary: [{ type: "summary_text", text: part.text }] }),
  ]
}

/** A tool that takes free text is called by a custom call, any other one by a function call. */
function call(part: Extract<Part, { kind: "call" }>, index: number, id: string): readonly Step[] {
  const named = { id: `call_${id}`, call_id: `call_${id}`, name: part.tool, status: "completed" }
  const item =
    typeof part.input === "string"
      ? { type: "custom_tool_call", ...named, input: part.input }
      : { type: "function_call", ...named, arguments: JSON.stringify(part.input) }
  return [added(index, item), done(index, item)]
}

function steps(part: Part, index: number, id: string): readonly Step[] {
  switch (part.kind) {
    case "text":
      return text(part, index, id)
    case "thinking":
      return thinking(part, index, id)
    case "call":
      return call(part, index, id)
    case "wait":
      return [part.gate]
  }
}

const usage = (tokens: Tokens) => ({
  input_tokens: tokens.input,
  input_tokens_details: { cached_tokens: tokens.cached },
  output_tokens: tokens.output,
  output_tokens_details: { reasoning_tokens: tokens.reasoning },
  total_tokens: tokens.input + tokens.output,
})

function answer(decision: Extract<Decision, { kind: "answer" }>, id: string): readonly Step[] {
  const response = { id: `resp_${id}`, object: "response", created_at: 0, model: "loopback" }
  const created = send("response.created", { response: { ...response, status: "in_progress", output: [] } })
  const parts = decision.parts.map((part, index) => steps(part, index, `${id}_${index}`))
  const cut = decision.ends !== undefined && decision.ends !== "whole"
  if (cut) return [created, ...parts.flat().slice(0, -1)]
  const completed = send("response.completed", {
    response: { ...response, status: "completed", output: [], usage: usage(decision.tokens ?? usualTokens) },
  })
  return [created, ...parts.flat(), completed]
}

const Body = z.object({
  input: z.array(
    z.union([
      z.object({ role: z.enum(["user", "assistant"]), content: z.array(z.object({ text: z.string() })) }),
      z.object({ type: z.enum(["function_call_output", "custom_tool_call_output"]), output: z.unknown() }),
      z.unknown().transform(() => null),
    ]),
  ),
})

function read(body: unknown): readonly Said[] {
  return Body.parse(body).input.flatMap((item): Said[] => {
    if (item === null) return []
    if ("output" in item)
      return [
        { by: "tool", text: typeof item.output === "string" ? item.output : JSON.stringify(item.output) },
      ]
    const by = item.role === "user" ? "person" : "model"
    return item.content.map(content => ({ by, text: content.text }))
  })
}

export const responses: Protocol = {
  speaks: path => path.endsWith("/responses"),
  read,
  answer,
  error: (status, message) =>
    JSON.stringify({ error: { message, type: "loopback", code: `status_${status}` } }),
}
