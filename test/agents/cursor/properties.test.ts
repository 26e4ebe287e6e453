import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { verdict } from "../../../machines/words.ts"
import { delta, exited, flush, init, last, line, play, result, tooLong, tool } from "./support.ts"

const piece = fc.string({ unit: "binary", minLength: 1, maxLength: 12 })
const segments = fc.array(fc.array(piece, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 })

/** A turn as the CLI streams it: segments of pieces, a tool call between two of them, everything repeated. */
function wellFormed(parts: readonly (readonly string[])[], repeatsAll: boolean): readonly string[] {
  const whole = parts.flat().join("")
  const body = parts.flatMap((pieces, index) => {
    const text = pieces.join("")
    if (index === parts.length - 1) return [...pieces.map(delta), last(repeatsAll ? whole : text)]
    const call = { readToolCall: { args: { path: `${index}` } } }
    return [
      ...pieces.map(delta),
      flush(text),
      tool("started", `c${index}`, call),
      tool("completed", `c${index}`, call),
    ]
  })
  return [init(), line("user"), ...body, result(whole)]
}

const field = fc.oneof(
  fc.constantFrom("type", "subtype", "session_id", "message", "content", "text", "tool_call", "call_id"),
  fc.constantFrom("result", "is_error", "usage", "error", "args", "readToolCall", "function", "timestamp_ms"),
)
const word = fc.constantFrom<string>(
  ...[
    "system",
    "assistant",
    "thinking",
    "tool_call",
    "result",
    "retry",
    "connection",
    "user",
    "init",
    "delta",
  ],
  ...["started", "completed", "starting", "text", "error", "success", "rejected"],
)
const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.string({ maxLength: 8 }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(field, tie("value"), { maxKeys: 5 }),
  ),
}))
const almost = fc
  .record({ type: word }, { requiredKeys: [] })
  .chain(head =>
    fc.dictionary(field, value, { maxKeys: 6 }).map(rest => JSON.stringify({ ...rest, ...head })),
  )
const anyLine = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  almost,
  almost.map(text => `\x1b[2K${text} ${text}`),
  fc.tuple(almost, fc.nat(200)).map(([text, cut]) => text.slice(0, cut)),
  almost.map(tooLong),
)
const ending = fc.record({
  status: fc.option(fc.nat(255)),
  stderr: fc.string({ unit: "binary", maxLength: 80 }),
})

describe("the translator", () => {
  it("I14 I15 streams exactly the text of the result of any well-formed turn", () => {
    fc.assert(
      fc.property(segments, fc.boolean(), (parts, repeatsAll) => {
        const { blocks, conclusion } = play(wellFormed(parts, repeatsAll))
        expect(blocks).toEqual(parts.map(pieces => pieces.join("")))
        expect(conclusion.text.trim()).toBe(parts.flat().join("").trim())
        expect(conclusion.verdict.outcome).toBe("succeeded")
      }),
    )
  })

  it("never throws, changes no state it was given, and always judges in the log's own words", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), ending, (lines, how) => {
        const { conclusion } = play(lines, how)
        expect(verdict.safeParse(conclusion.verdict).success).toBe(true)
        expect(conclusion.verdict.failure === null).toBe(conclusion.verdict.outcome === "succeeded")
      }),
      { numRuns: 2000 },
    )
  })

  it("gives the same events and the same end for the same lines", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 8 }), lines => {
        expect(play(lines)).toEqual(play(lines))
      }),
    )
  })

  it("gives every tool call one start, and at most one end, after it", () => {
    const call = fc.tuple(fc.constantFrom("started", "completed"), fc.constantFrom("a", "b", "c\nd"))
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), calls => {
        const { events } = play(calls.map(([kind, id]) => tool(kind, id, { readToolCall: { args: {} } })))
        for (const id of ["a", "b", "c\nd"]) {
          const own = events.filter(event => "call" in event && event.call === id).map(event => event.type)
          expect([[], ["tool.started"], ["tool.started", "tool.completed"]]).toContainEqual(own)
        }
      }),
    )
  })

  it("I3 has one end: nothing after the result changes what is concluded", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 8 }), lines => {
        const turn = [init(), delta("a"), result("a")]
        expect(play([...turn, ...lines], exited(0)).conclusion).toEqual(play(turn, exited(0)).conclusion)
      }),
    )
  })
})
