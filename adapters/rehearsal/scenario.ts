/**
 * The vocabulary of a scenario: everything the rehearsal agent can be told to do, as data. Types only. Nothing
 * here runs or checks anything: `scenario-check.ts` refuses what does not fit, `play.ts` plays what does.
 *
 * Strings inside steps may name `$SESSION`, `$CWD`, `$PROMPT`, `$TURN`, `$REMEMBERED`, `$MODEL`, `$REQUEST`,
 * `$KEY`, `$NOW` (alone in its string it becomes a number) and `$FILL:<n>` (n times the letter x).
 * Every `...Ms` is multiplied by HOLDFAST_REHEARSAL_PACE (default 1; 0 waits for nothing).
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }

/** What the agent plays: a file of this shape, or a built-in one by its name. */
export interface Scenario {
  /** One sentence for a person. */
  readonly about?: string
  /** What a plain prompt leads to. Read by tests, never by the agent. */
  readonly expect?: Expectation
  /** Which keys are good, and for what. Default: every key but an empty one, and none is needed. */
  readonly account?: Account
  /** The ids that `--model` accepts. Without it: the rehearsal's own list. */
  readonly models?: readonly string[]
  /** How lines are written. Default: each whole, in one write, ended by a newline, on stdout. */
  readonly framing?: Framing
  /** Played before the checks and before stdin is read. Only `startsUpTo`, `resumed` and `model` can be known. */
  readonly starts?: readonly Turn[]
  /** The first one that matches is played. */
  readonly turns: readonly Turn[]
}

/** One answer of the agent, and when it is the one to play. */
export interface Turn {
  /** Default: always. */
  readonly when?: When
  /** Played one after the other; then the process ends with exit code 0. */
  readonly steps: readonly Step[]
}

/** Every field that is there must hold. */
export interface When {
  /** This text is somewhere in the prompt, in the same case. */
  readonly promptIncludes?: string
  /** An earlier chat was asked for, known or not. */
  readonly resumed?: boolean
  /** The chat holds at least one finished turn. */
  readonly remembers?: boolean
  /** The number of this turn in its chat, from 1; only finished turns count. */
  readonly turn?: number
  /** Exactly the id that `--model` asked for. */
  readonly model?: string
  /** Among the first n starts of this scenario in this configuration folder, across processes. */
  readonly startsUpTo?: number
}

/** How a process that plays the scenario is started, and how it ends. */
export interface Expectation {
  /** Flags beyond the usual ones, without which the case does not show itself. */
  readonly args?: readonly string[]
  /** Variables without which the case does not show itself. */
  readonly env?: { readonly [name: string]: string }
  /** Its exit code. Exactly one of `exit`, `signal` and `hangs` is there. */
  readonly exit?: number
  /** It ends itself by this signal. */
  readonly signal?: SignalName
  /** It ends only by a signal from outside, and perhaps only by SIGKILL. */
  readonly hangs?: boolean
  /** A `result` line is written to stdout. */
  readonly result?: boolean
}

/** The account that the agent pretends to ask about, before a turn. */
export interface Account {
  /** Without a key the start is refused. Default: false. */
  readonly keyRequired?: boolean
  /** Any other key is refused as invalid. Without it every non-empty key is good. */
  readonly validKeys?: readonly string[]
  /** On `free`, every model but `auto` is refused. Default: `pro`. */
  readonly plan?: "pro" | "free"
}

/** How every line of the stream reaches its reader. */
export interface Framing {
  /** Default: `"\n"`. */
  readonly lineEnd?: "\n" | "\r\n"
  /** The first line begins with one. Default: false. */
  readonly byteOrderMark?: boolean
  /** false: the newline of the last line is never written. */
  readonly finalNewline?: boolean
  /** Each line is written in pieces of n bytes. */
  readonly splitBytes?: number
  /** Default: `stdout`. */
  readonly to?: "stdout" | "stderr" | "both"
}

/** The signals that a scenario can name. */
export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGKILL" | "SIGSEGV" | "SIGABRT"

/** One thing that the agent does; `do` says which. */
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

/** What `do` can be. */
export type StepName = Step["do"]
/** The step whose `do` this is. */
export type StepOf<K extends StepName> = Extract<Step, { readonly do: K }>

/** A text, and how it is cut into the pieces in which it is streamed. No piece splits a code point. */
export interface Chunked {
  /** The whole. Default: empty. */
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

/** A tool call: its two lines, and between them what it does. */
export interface ToolStep {
  readonly do: "tool"
  /** `read`, `write`, `edit`, `delete`, `shell`, `mcp`, ...: the key on the wire is `<kind>ToolCall`. */
  readonly kind: string
  /** What the model asked of the tool. Default: none, or those of the `started` line with the same `callId`. */
  readonly args?: JsonObject
  /** Do it: read, write, edit, delete and shell touch the workspace, and the result is what came of it. */
  readonly real?: boolean
  /** For a real edit: text added at the end of the file, which may be new. */
  readonly append?: string
  /** Without `real`: the one key of the result. Default: `success`. */
  readonly result?: string
  /** Without `real`: what that key holds. Default: `{}`. */
  readonly value?: JsonObject
  /** The mark of a command that goes on in the background. Default: false for `shell`, absent for others. */
  readonly isBackground?: boolean
  /** The sentence beside the call that tells a person what it is for. Default: none. */
  readonly description?: string
  /** Between started and completed. */
  readonly waitMs?: number
  /** Default: a fresh id, with a newline in it on OpenAI models. */
  readonly callId?: string
  /** Default: both lines. */
  readonly only?: "started" | "completed"
  /** The `completed` line does not repeat the arguments. Default: false. */
  readonly omitArgs?: boolean
}

/** The line that ends a turn. */
export interface ResultStep {
  readonly do: "result"
  /** Default: everything that was said. */
  readonly text?: string
  /** An error result; its turn is not remembered. Default: false. */
  readonly isError?: boolean
  /** As it is on the line. Default: `success`, also of an error. */
  readonly subtype?: string
  /** null: no usage at all. Default: counted from the prompt and the reply. */
  readonly usage?: Json
  /** What the last flush repeats: its segment (default), the whole turn, or nothing. */
  readonly flush?: "segment" | "turn" | "none"
  /** false: the chat forgets this turn. */
  readonly remember?: boolean
}

/** Leaves a process behind, which the agent does not end. Its command must end by itself, some day. */
export interface SpawnStep {
  readonly do: "spawn"
  /** Run by `sh -c`. */
  readonly command: string
  /** In a session of its own. */
  readonly detached?: boolean
  /** What the process does not hear. Default: none. */
  readonly ignoreSignals?: readonly SignalName[]
  /** It keeps our stdout open. Default: false. */
  readonly keepStdout?: boolean
  /** Without HOLDFAST_RUN in its environment. */
  readonly dropMarker?: boolean
}
