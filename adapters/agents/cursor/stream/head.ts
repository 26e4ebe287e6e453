/**
 * What the first bytes of a line say when the line itself was too long to keep. Only scalar fields at the top
 * level before the first nested value are read: what is inside a string or a tool's output is not the line's.
 */
import { isRecord, type JsonRecord } from "../../common/stream/json.ts"

export interface LineHead {
  readonly fields: JsonRecord
  /** A string value that the head does not show to its end, by the key it belongs to. */
  readonly cut: { readonly key: string; readonly text: string } | null
  /** The kind of the tool the line is about (`edit`), if the head shows it. */
  readonly tool: string | null
}

const opening = /[\s\uFEFF]*\{/y
const scalarField =
  /\s*,?\s*("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*"|true|false|null|-?\d[\d.eE+-]*)(?=\s*[,}])/sy
const cutField = /\s*,?\s*("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*)/sy
const nestedTool = /\s*,?\s*"tool_call"\s*:\s*\{(?:\s*"\w+"\s*:\s*"[^"\\]*"\s*,)*\s*"(\w+)ToolCall"/y

export function readHead(text: string): LineHead {
  const fields: Record<string, unknown> = {}
  const start = matchAt(opening, text, 0)
  if (start === null) return { fields, cut: null, tool: null }
  let at = start[0].length
  for (let field = matchAt(scalarField, text, at); field !== null; field = matchAt(scalarField, text, at)) {
    const entry = parse(`{${field[1]}:${field[2]}}`)
    if (isRecord(entry)) Object.assign(fields, entry)
    at += field[0].length
  }
  const cut = matchAt(cutField, text, at)
  const key = cut === null ? undefined : parse(cut[1] ?? "")
  return {
    fields,
    cut: cut !== null && typeof key === "string" ? { key, text: unfinishedText(cut[2] ?? "") } : null,
    tool: matchAt(nestedTool, text, at)?.[1] ?? null,
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** The text of an unfinished JSON string, without the escape that was cut in two. */
function unfinishedText(unfinished: string): string {
  const whole = parse(`${unfinished}"`) ?? parse(`${unfinished.replace(/\\u[0-9a-fA-F]{0,3}$/, "")}"`)
  // A character cut in two by the head's own limit is no character.
  return typeof whole === "string" ? whole.replace(/[\uD800-\uDBFF\uFFFD]$/, "") : ""
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
