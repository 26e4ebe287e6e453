/**
 * What a turn has around it while it is played: the facts of this run, and the ways out of the process. One value,
 * built once in `agent.ts` and handed to everything below it; it holds no logic of its own beyond substitution.
 */
import { setTimeout as delay } from "node:timers/promises"
import type { Chat } from "./chats.ts"
import type { Children } from "./children.ts"
import type { Flags } from "./flags.ts"
import type { Journal } from "./journal.ts"
import type { Output } from "./output.ts"
import type { Json } from "./scenario.ts"
import type { Signals } from "./signals.ts"
import type { Stream } from "./stream.ts"

/** What is known before the prompt has been read; `starts` turns have nothing else. */
export interface Wings {
  readonly flags: Flags
  readonly env: NodeJS.ProcessEnv
  readonly config: string
  readonly key: string | null
  /** The id that `--model` asked for. */
  readonly model: string
  readonly out: Output
  readonly journal: Journal
  readonly signals: Signals
  readonly children: Children
  /** `ms`, at the pace that was asked for. */
  readonly pause: (ms: number | undefined) => Promise<void>
  readonly leave: (code: number) => never
}

export interface Stage extends Wings {
  /** The workspace: physical, and where tools act. */
  readonly cwd: string
  readonly prompt: string
  readonly chat: Chat
  readonly resumed: boolean
  readonly keySource: "env" | "flag" | "login"
  readonly stream: Stream
}

export const pacer =
  (pace: number) =>
  async (ms: number | undefined): Promise<void> => {
    const scaled = (ms ?? 0) * pace
    if (scaled > 0) await delay(scaled)
  }

const REMEMBERED_CHARACTERS = 40

const tokensOf = (wings: Wings | Stage): Readonly<Record<string, string>> => ({
  $MODEL: wings.model,
  $KEY: wings.key ?? "",
  $CONFIG: wings.config,
  ...("chat" in wings && {
    $SESSION: wings.chat.id,
    $CWD: wings.cwd,
    $PROMPT: wings.prompt,
    $REQUEST: wings.stream.requestId,
    $TURN: String(wings.chat.said.length + 1),
    $REMEMBERED: wings.chat.said.at(-1)?.prompt.slice(0, REMEMBERED_CHARACTERS) ?? "",
  }),
})

/** One pass: what a token stands for is never looked at again, whatever a prompt says. */
export const fill = (text: string, wings: Wings | Stage): string => {
  if (!text.includes("$")) return text
  const tokens = tokensOf(wings)
  return text.replace(/\$(?:FILL:(\d+)|[A-Z]+)/g, (token, size?: string) =>
    size === undefined ? (tokens[token] ?? token) : "x".repeat(Number(size)),
  )
}

export const fillJson = (value: Json, stage: Wings | Stage): Json => {
  if (value === "$NOW") return Date.now()
  if (typeof value === "string") return fill(value, stage)
  if (typeof value !== "object" || value === null) return value
  if (isList(value)) return value.map(one => fillJson(one, stage))
  return fillRecord(value, stage)
}

export const fillRecord = (
  value: { readonly [key: string]: Json },
  stage: Wings | Stage,
): Record<string, Json> =>
  Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillJson(one, stage)]))

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
