/**
 * The vocabulary of a scenario: everything the rehearsal agent can be told to do, as data. Types only. Nothing
 * here runs or checks anything: `scenario-check.ts` refuses what does not fit, `play.ts` plays what does.
 *
 * Strings inside steps may name `$SESSION`, `$CWD`, `$PROMPT`, `$TURN`, `$REMEMBERED`, `$MODEL`, `$REQUEST`,
 * `$KEY`, `$NOW` (alone in its string it becomes a number) and `$FILL:<n>` (n times the letter x).
 * Every `...Ms` is multiplied by HOLDFAST_REHEARSAL_PACE (default 1; 0 waits for nothing).
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export interface Scenario {
  /** One sentence for a person. */
  readonly about?: string
  /** What a plain prompt leads to. Read by tests, never by the agent. */
  readonly expect?: Expectation
  readonly account?: Account
  /** The ids that `--model` accepts. Without it: the rehearsal's own list. */
  readonly models?: readonly string[]
  readonly framing?: Framing
  /** Played before the checks and before stdin is read. Only `startsUpTo`, `resumed` and `model` can be known. */
  readonly starts?: readonly Turn[]
  /** The first one that matches is played. */
  readonly turns: readonly Turn[]
}

export interface Turn {
  readonly when?: When
  readonly steps: readonly Step[]
}

/** Every field that is there must hold. */
export interface When {
  readonly promptIncludes?: string
  readonly resumed?: boolean
  /** The chat holds at least one finished turn. */
  readonly remembers?: boolean
  /** The number of this turn in its chat, from 1; only finished turns count. */
  readonly turn?: number
  readonly model?: string
  /** Among the first n starts of this scenario in this configuration folder, across processes. */
  readonly startsUpTo?: number
}

export interface Expectation {
  /** Flags beyond the usual ones, without which the case does not show itself. */
  readonly args?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  /** Exactly one of the three. A scenario that hangs ends only by a signal, and perhaps only by SIGKILL. */
  readonly exit?: number
  readonly signal?: SignalName
  readonly hangs?: boolean
  /** A `result` line is written to stdout. */
  readonly result?: boolean
}

export interface Account {
  readonly keyRequired?: boolean
  /** Any other key is refused as invalid. Without it every non-empty key is good. */
  readonly validKeys?: readonly string[]
  readonly plan?: "pro" | "free"
}

/** How every line of the stream reaches its reader. */
export interface Framing {
  readonly lineEnd?: "\n" | "\r\n"
  readonly byteOrderMark?: boolean
  /** false: the newline of the last line is never written. */
  readonly finalNewline?: boolean
  /** Each line is written in pieces of n bytes. */
  readonly splitBytes?: number
  readonly to?: "stdout" | "stderr" | "both"
}

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGKILL" | "SIGSEGV" | "SIGABRT"

export type Step =
  | { readonly do: "init"; readonly model?: string; readonly sessionId?: boolean }
  /** The line in which the CLI repeats the prompt. */
  | { readonly do: "user" }
  | ({ readonly do: "thinking" } & Chunked)
  /** Reply text. Streamed as deltas, held back as a segment, or only counted, as the flags say. */
  | ({ readonly do: "text" } & Chunked)
  /** The prompt is the reply, in n chunks. */
  | { readonly do: "echoPrompt"; readonly chunks?: number }
  | ToolStep
  | ResultStep
  /** One line, verbatim but for the substitutions. */
  | { readonly do: "emit"; readonly event: JsonObject; readonly prefix?: string; readonly suffix?: string }
  | {
      readonly do: "raw"
      readonly utf8?: string
      readonly base64?: string
      readonly splitBytes?: number
      readonly waitMs?: number
    }
  | {
      readonly do: "stderr"
      readonly text: string
      readonly times?: number
      readonly endless?: boolean
      readonly waitMs?: number
    }
  | { readonly do: "flood"; readonly bytes: number; readonly newline?: boolean; readonly fd?: 1 | 2 }
  | { readonly do: "wait"; readonly ms: number }
  /** Stops until the file exists (asked every 5 ms): how a test steers without sleeping. */
  | { readonly do: "waitForFile"; readonly path: string }
  /** Tells a test that the agent got here. */
  | { readonly do: "touchFile"; readonly path: string }
  | { readonly do: "waitForStdinEnd" }
  | SpawnStep
  | { readonly do: "ignoreSignals"; readonly signals: readonly SignalName[] }
  /** Leaves a process behind that keeps our stdout open after we are gone. */
  | { readonly do: "holdStdoutOpen"; readonly lifeMs?: number }
  | { readonly do: "closeStdout" }
  /** What a script does with `> /dev/stdout`. */
  | { readonly do: "truncateOwnStdout" }
  | { readonly do: "signal"; readonly name: SignalName }
  | { readonly do: "exit"; readonly code: number }
  | { readonly do: "hang" }

export type StepName = Step["do"]
export type StepOf<K extends StepName> = Extract<Step, { readonly do: K }>

export interface Chunked {
  readonly text?: string
  /** In n pieces of about the same length. Default 1. */
  readonly chunks?: number
  /** Or cut at these offsets, in code points. */
  readonly splitAt?: readonly number[]
  /** Or exactly these pieces, instead of `text`. */
  readonly pieces?: readonly string[]
  /** Between two pieces. */
  readonly waitMs?: number
}

export interface ToolStep {
  readonly do: "tool"
  /** `read`, `write`, `edit`, `delete`, `shell`, `mcp`, ...: the key on the wire is `<kind>ToolCall`. */
  readonly kind: string
  readonly args?: JsonObject
  /** Do it: read, write, edit, delete and shell touch the workspace, and the result is what came of it. */
  readonly real?: boolean
  /** For a real edit: text added at the end of the file, which may be new. */
  readonly append?: string
  /** Without `real`: the one key of the result, and what it holds. Default `success`, `{}`. */
  readonly result?: string
  readonly value?: JsonObject
  readonly isBackground?: boolean
  readonly description?: string
  /** Between started and completed. */
  readonly waitMs?: number
  /** Default: a fresh id, with a newline in it on OpenAI models. */
  readonly callId?: string
  /** Default: both lines. */
  readonly only?: "started" | "completed"
  readonly omitArgs?: boolean
}

export interface ResultStep {
  readonly do: "result"
  /** Default: everything that was said. */
  readonly text?: string
  readonly isError?: boolean
  readonly subtype?: string
  /** null: no usage at all. Default: counted from the prompt and the reply. */
  readonly usage?: Json
  /** What the last flush repeats: its segment (default), the whole turn, or nothing. */
  readonly flush?: "segment" | "turn" | "none"
  /** false: the chat forgets this turn. */
  readonly remember?: boolean
}

export interface SpawnStep {
  readonly do: "spawn"
  /** Run by `sh -c`. */
  readonly command: string
  /** In a session of its own. */
  readonly detached?: boolean
  readonly ignoreSignals?: readonly SignalName[]
  readonly keepStdout?: boolean
  /** Without HOLDFAST_RUN in its environment. */
  readonly dropMarker?: boolean
}
