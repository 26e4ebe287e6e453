/** Steps that many scenarios share. Data, and functions that return data; nothing is run here. */
import type { Json, JsonObject, Scenario, Step, Turn } from "../scenario.ts"

export type Scenarios = Readonly<Record<string, Scenario>>

/** How nearly every turn begins. */
export const opening: readonly Step[] = [{ do: "init" }, { do: "user" }]

export const says = (text: string, chunks = 3): Step => ({ do: "text", text, chunks })

export const turn = (...steps: readonly Step[]): readonly Turn[] => [{ steps }]

/** A turn that begins as usual and ends well. */
export const good = (...steps: readonly Step[]): readonly Turn[] =>
  turn(...opening, ...steps, { do: "result" })

/** Exit 1 with a text on stderr, before anything is written to stdout. */
export const refused = (text: string): readonly Step[] => [
  { do: "stderr", text },
  { do: "exit", code: 1 },
]

/** As `refused`, but the session had begun. */
export const refusedLate = (text: string): readonly Step[] => [...opening, ...refused(text)]

export const emit = (event: JsonObject): Step => ({ do: "emit", event })

export const initEvent: JsonObject = {
  type: "system",
  subtype: "init",
  apiKeySource: "env",
  cwd: "$CWD",
  session_id: "$SESSION",
  model: "Auto",
  permissionMode: "default",
}

export const resultEvent = (text: string, more: Readonly<Record<string, Json>> = {}): JsonObject => ({
  type: "result",
  subtype: "success",
  duration_ms: 1200,
  duration_api_ms: 1200,
  is_error: false,
  result: text,
  session_id: "$SESSION",
  request_id: "$REQUEST",
  ...more,
})

export const delta = (text: string): JsonObject => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "text", text }] },
  session_id: "$SESSION",
  timestamp_ms: "$NOW",
})

export const ended = { exit: 0, result: true } as const
export const failed = { exit: 1, result: false } as const
export const hanging = { hangs: true, result: false } as const
