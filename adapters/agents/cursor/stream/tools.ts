/**
 * What a `tool_call` record says, whichever of its shapes it has: name, arguments, outcome, title. Call ids are
 * opaque and may hold any bytes, a newline included (ST-11); nothing here validates or shortens one.
 */
import {
  firstText,
  isRecord,
  type JsonRecord,
  type ProtocolRecord,
  textOf,
} from "../../common/stream/json.ts"
import { limit } from "../../common/stream/limits.ts"
import { oneLine, titled } from "../../common/stream/text.ts"

export interface ToolCall {
  readonly call: string
  readonly name: string
  readonly title: string
  readonly input: unknown
  readonly timeoutMs: number | null
  readonly result: unknown
}

export type ToolStatus = "ok" | "failed" | "denied"

/** Null when the record names no tool: newer builds send records of metadata only. */
export function readToolCall(record: ProtocolRecord): ToolCall | null {
  const body = isRecord(record.tool_call) ? record.tool_call : {}
  const tool = toolOf(body)
  if (tool === null) return null
  const input = argumentsOf(tool.value)
  const args = isRecord(input) ? input : {}
  const call = firstText(record.call_id, body.toolCallId, args.toolCallId)
  if (call === null) return null
  const name = tool.kind === "mcp" ? (mcpName(args) ?? "Mcp") : tool.name
  return {
    call,
    name: oneLine(name, limit.toolNameChars),
    title: title(name, tool.value, body, args),
    input: input ?? null,
    timeoutMs: timeout(args.timeout),
    result: tool.value.result ?? body.result,
  }
}

interface Tool {
  readonly kind: string
  readonly name: string
  readonly value: JsonRecord
}

const toolKey = /^(.+)ToolCall$/

/** The tool is the first key that names one, not the first key: metadata may come before it. */
function toolOf(body: JsonRecord): Tool | null {
  for (const [key, value] of Object.entries(body)) {
    const kind = toolKey.exec(key)?.[1]
    if (kind !== undefined && isRecord(value)) return { kind, name: marker(kind), value }
  }
  const { function: called, tool: oneOf } = body
  if (isRecord(called)) {
    return { kind: "function", name: firstText(called.name) ?? "Function", value: called }
  }
  if (isRecord(oneOf) && isRecord(oneOf.value)) {
    const kind = toolKey.exec(textOf(oneOf.case) ?? "")?.[1] ?? "tool"
    return { kind, name: marker(kind), value: oneOf.value }
  }
  return null
}

/** `editToolCall` is shown as `Edit`. */
export function marker(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1)
}

/** The `function` form carries its arguments as text. */
function argumentsOf(value: JsonRecord): unknown {
  if (value.args !== undefined) return value.args
  const args = value.arguments
  if (typeof args !== "string") return args
  try {
    const parsed: unknown = JSON.parse(args)
    return parsed
  } catch {
    return args
  }
}

/** The id the model knows the server's tool by, `<server>-<tool>`. */
function mcpName(args: JsonRecord): string | null {
  const name = firstText(args.name)
  if (name !== null) return name
  const tool = firstText(args.toolName)
  const server = firstText(args.providerIdentifier, args.serverIdentifier)
  return tool !== null && server !== null ? `${server}-${tool}` : tool
}

const titleKeys = [
  ...["command", "path", "globPattern", "pattern", "query", "searchTerm", "url", "description"],
  ...["name", "targetDirectory"],
] as const

function title(name: string, value: JsonRecord, body: JsonRecord, args: JsonRecord): string {
  const subject = firstText(value.description, body.description, ...titleKeys.map(key => args[key]))
  return titled(name, subject)
}

function timeout(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : null
}

const deniedKeys = ["rejected", "permissionDenied", "denied"] as const
const failedKeys = ["failure", "error", "spawnError", "timeout"] as const

/** The wrapper has one key that says how it went, and siblings that do not. */
export function statusOf(result: unknown): ToolStatus {
  if (!isRecord(result)) return "ok"
  if (deniedKeys.some(key => key in result)) return "denied"
  if (failedKeys.some(key => key in result)) return "failed"
  const success = result.success
  // Neither a known key nor nothing at all: not a success that we know of.
  if (success === undefined) return Object.keys(result).length === 0 ? "ok" : "failed"
  if (!isRecord(success)) return "ok"
  const exitCode = success.exitCode
  const failed = (typeof exitCode === "number" && exitCode !== 0) || success.isError === true
  return failed ? "failed" : "ok"
}
