/** What an item that is a tool call says, by its type: name, arguments, outcome, title. */
import { firstText, isRecord, type JsonRecord, textOf } from "../../common/stream/json.ts"
import { limit } from "../../common/stream/limits.ts"
import { oneLine, titled } from "../../common/stream/text.ts"

export interface ToolCall {
  readonly call: string
  readonly name: string
  readonly title: string
  readonly input: unknown
  readonly output: unknown
  readonly status: "ok" | "failed" | "denied"
}

interface Kind {
  name(item: JsonRecord): string
  subject(item: JsonRecord): string | null
  input(item: JsonRecord): unknown
  output(item: JsonRecord): unknown
}

const kinds: Readonly<Record<string, Kind>> = {
  command_execution: {
    name: () => "Shell",
    subject: item => textOf(item.command),
    input: ({ command }) => ({ command }),
    output: item => ({ output: item.aggregated_output, exitCode: item.exit_code }),
  },
  file_change: {
    name: () => "Edit",
    subject: ({ changes }) =>
      Array.isArray(changes)
        ? changes.flatMap(change => (isRecord(change) ? [change.path] : [])).join(", ")
        : null,
    input: ({ changes }) => ({ changes }),
    output: () => null,
  },
  mcp_tool_call: {
    name: ({ server, tool }) => [server, tool].filter(part => textOf(part) !== null).join("-") || "Mcp",
    subject: () => null,
    input: item => item.arguments,
    output: ({ result, error }) => error ?? result,
  },
  web_search: {
    name: () => "WebSearch",
    subject: item => textOf(item.query),
    input: ({ query }) => ({ query }),
    output: () => null,
  },
}

/** Null for an item that is no tool call, or that cannot be told from another. */
export function readToolCall(item: JsonRecord): ToolCall | null {
  const kind = kinds[textOf(item.type) ?? ""]
  const call = firstText(item.id)
  if (kind === undefined || call === null) return null
  const name = oneLine(kind.name(item), limit.toolNameChars)
  return {
    call,
    name,
    title: titled(name, kind.subject(item)),
    input: kind.input(item) ?? null,
    output: kind.output(item) ?? null,
    status: statusOf(item),
  }
}

function statusOf({ status, exit_code: exitCode, error }: JsonRecord): ToolCall["status"] {
  if (status === "declined") return "denied"
  const failed = status === "failed" || (typeof exitCode === "number" && exitCode !== 0) || isRecord(error)
  return failed ? "failed" : "ok"
}
