/**
 * The port that every agent adapter implements: how to start one turn of an agent's program, and how to read
 * what it prints. Adapters are data and pure functions wherever they can be; they spawn no turn, write no
 * spool and decide no outcome of a turn: they say how *one run* ended (`Verdict`), machines decide the rest.
 */
import type { Failure, NoticeCode, Usage, Verdict } from "../machines/words.ts"

/** What an agent can do. Orchestration reads these, never an agent's name. */
export interface Capabilities {
  /** A later turn can go on in the conversation of an earlier one. */
  readonly resume: boolean
  /** The reply comes in pieces while it is made. */
  readonly streaming: boolean
  /** A prompt can carry images. */
  readonly images: boolean
  /** It asks before it acts, and waits for the answer. */
  readonly permissionPrompts: boolean
  /** It can be given tools that the host answers. */
  readonly hostTools: boolean
  /** The run goes on when the host dies, and can be adopted. */
  readonly survivesHost: boolean
}

/** One whole line of the agent's stdout, without its newline. `offset` and `next` are byte positions in the spool. */
export type SpoolLine =
  | { readonly kind: "line"; readonly text: string; readonly offset: number; readonly next: number }
  /** A line over the limit was dropped; `head` is its first 4 KiB, decoded. */
  | {
      readonly kind: "tooLong"
      readonly head: string
      readonly bytes: number
      readonly offset: number
      readonly next: number
    }

/** What a reader sees of a run while it runs. Text lives in the spool only; none of this enters the log. */
export type AgentEvent =
  | { readonly type: "run.identified"; readonly conversation: string; readonly model: string | null }
  /** New text. `block` counts the text blocks of the turn from 0: a tool call ends a block. */
  | { readonly type: "text.delta"; readonly text: string; readonly block: number }
  | { readonly type: "thinking.delta"; readonly text: string }
  /** `call` is the agent's own id, opaque, whatever bytes it holds. `title` is one line for a person. */
  | {
      readonly type: "tool.started"
      readonly call: string
      readonly name: string
      readonly title: string
      readonly input: unknown
      /** Longest silence the tool itself asked for, in ms, or null. */
      readonly timeoutMs: number | null
    }
  | {
      readonly type: "tool.completed"
      readonly call: string
      readonly name: string
      readonly status: "ok" | "failed" | "denied"
      readonly output: unknown
    }
  | { readonly type: "usage.reported"; readonly usage: Usage }
  | { readonly type: "notice"; readonly code: NoticeCode; readonly count: number }

export type Notice = Extract<AgentEvent, { readonly type: "notice" }>

/** How the process ended. `status` is what `sh` saw: 128 + n for a signal n; null when nobody knows. */
export interface Ending {
  readonly status: number | null
  /** The last 64 KiB of stderr, decoded. */
  readonly stderr: string
}

/** What a run begins with, as far as reading its output needs it. */
export interface RunStart {
  /** The conversation that it resumes, or null for a fresh one. */
  readonly resume: string | null
  /** What the resumed conversation had used before, where its agent counts by conversation; null when unknown. */
  readonly usageBefore: Usage | null
}

/** How one run ended, as its adapter judges it: what may be logged, and what may not. */
export interface Conclusion {
  /** What the log keeps of it: codes, numbers, no text. */
  readonly verdict: Verdict
  /** The whole reply, which replaces what was streamed. "" when there is none. */
  readonly text: string
  /** One line for a person about the failure, redacted, in our words where the table knows it; never logged. */
  readonly explanation: string | null
  /** What only the end can count: noise among the lines, lines of unknown types, refused tools. */
  readonly notices: readonly Notice[]
  /** The service asked to wait this long before the next request. */
  readonly retryAfterMs?: number
}

/** Pure and total: it never throws, whatever the bytes. `S` is small, bounded, and owned by the adapter. */
export interface Translator<S = unknown> {
  /** The state before the first line. */
  initial(start: RunStart): S
  /** The state behind one line, and what a reader gets to see of it, in order. */
  line(state: S, line: SpoolLine): { readonly state: S; readonly events: readonly AgentEvent[] }
  /** The terminal line was seen: the run's outcome is known, whatever the process does now. */
  ended(state: S): boolean
  /** How the run ended, from everything that was read. */
  conclude(state: S, ending: Ending): Conclusion
}

export interface RunRequest {
  readonly model: string
  readonly cwd: string
  readonly resume: string | null
  readonly approveMcps: boolean
  /** A private folder for the agent's configuration, per session; it exists. */
  readonly configDir: string
}

/** A way to start the agent: absolute binary, argv, and the variables its environment needs besides the allow-list. */
export interface Invocation {
  readonly binary: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Windows only: `args` is one command line, quoted already (`windowsVerbatimArguments`). */
  readonly verbatim?: boolean
}

/** What stands in the way of running the agent here, found before anything is spawned. */
export interface Obstacle extends Failure {
  /** For a person: what it is, and the next step. No secret in it. */
  readonly explanation: string
}

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** An agent as Holdfast runs it. Everything that may throw is asked in a way that survives it: it fails the run. */
export interface AgentAdapter {
  /** The name a session asks for. */
  readonly name: string
  /** What the agent can do. */
  readonly capabilities: Capabilities
  /** The model of sessions that name none. */
  readonly defaultModel: string
  /** How its output is read. */
  readonly translator: Translator
  /** Find the program with the child's PATH, from the host's environment; cheap, asked again before every run. */
  locate(env: Environment): Promise<{ readonly binary: string } | Obstacle>
  /** The key is there, in the environment given. */
  checkKey(env: Environment): Obstacle | null
  /** The environment the child gets, from the host's: an allow-list plus the agent's own variables. */
  childEnvironment(env: Environment): Record<string, string>
  /** How one run is started. Pure; what it throws with `kind`, `code` and `retryable` is how the run fails. */
  invocation(binary: string, request: RunRequest, env: Environment): Invocation
  /** Fill the session's private configuration folder once, from the operator's, without credentials. */
  seedConfig(configDir: string, env: Environment): Promise<void>
  /** Whether the agent still has this conversation for this physical cwd; `unknown` when it cannot be told. */
  hasConversation(
    request: RunRequest & { readonly resume: string },
    env: Environment,
  ): Promise<"yes" | "no" | "unknown">
  /** A daemon that the agent shares between its own runs: recorded, not ended with one run. */
  isSharedDaemon?(commandLine: string): boolean
  /** Names of variables whose values must never be seen in anything we write. */
  readonly secretVariables: readonly string[]
  /** Installed, version, ready; for `doctor` and agent lists. Runs the binary. */
  status(env: Environment): Promise<AgentStatus>
}

/** Whether the agent is there, in which version, and what keeps it from running now (null: nothing). */
export type AgentStatus =
  | { readonly installed: false; readonly obstacle: Obstacle }
  | {
      readonly installed: true
      readonly binary: string
      readonly version: string
      readonly obstacle: Obstacle | null
    }
