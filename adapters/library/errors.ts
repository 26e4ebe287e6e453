/**
 * What the front door refuses before anything is appended: a code, whether trying again can help, and a message
 * that names the next step. Errors of the store (`DEPOSED`, `QUEUE_FULL`, ...) have the same three fields.
 */
import type { Obstacle } from "../../effects/agent.ts"

const reasons = {
  AGENT_UNKNOWN: "No adapter for this agent was given to openHost. Pass it in `agents`",
  CWD_MISSING: "The folder to work in does not exist, or is not a folder. Check `cwd`",
  PROMPT_EMPTY: "The prompt is empty. Say what is to be done",
  PROMPT_TOO_LARGE: "The prompt is over 8 MiB. Save it as a file in the worktree and name the file",
  PROMPT_NOT_UNICODE: "The prompt has half a surrogate pair, which has no bytes in UTF-8. Repair the text",
  SESSION_ID_INVALID:
    "A session's id is 1 to 128 letters, digits and `._-`, and begins with a letter or digit. Choose another one",
  ID_INVALID: "An id is 1 to 200 printable characters. Choose another one",
  LIMIT_INVALID: "A limit is a whole number from 1 to 2147483647. Check `limits`",
  CURSOR_INVALID: "This is not a cursor that Holdfast gave out. Start without one",
  MODEL_INVALID:
    "A model id is 1 to 128 characters without spaces, and does not start with `-`. Check `model`",
  SESSION_UNKNOWN: "There is no such session here. List them with `holdfast sessions`",
  SESSION_BUSY: "A turn of this session is running. Interrupt it, or wait for it, and try again",
  SESSION_ELSEWHERE: "Another live host owns this session. Ask there, or close that host first",
  TURN_UNKNOWN: "There is no such turn here. List them with `holdfast log`",
  HOST_CLOSED: "This host was closed. Open another one",
} as const
/** The codes of `Refusal`: a closed list, each with its own next step in the message. */
export type RefusalCode = keyof typeof reasons

/** Shape of every error of Holdfast. */
export interface HoldfastFailure extends Error {
  /** Stable, upper case, one per cause: what a program may branch on. The message is for people. */
  readonly code: string
  /** The same again may work without anybody changing anything. */
  readonly retryable: boolean
}

/** The front door refuses what it was given, before anything is appended; nothing has changed. */
export class Refusal extends Error implements HoldfastFailure {
  /** For `Effect.catchTag`. */
  readonly _tag = "Refusal"
  /** Which of the reasons. */
  readonly code: RefusalCode
  readonly retryable = false
  constructor(code: RefusalCode, detail?: string, cause?: unknown) {
    super(`${reasons[code]}${detail === undefined ? "" : ` (${detail})`}.`, { cause })
    this.name = "Refusal"
    this.code = code
  }
}

/** Something in the way of running the agent here: no key, no binary, not executable. */
export class AgentNotReady extends Error implements HoldfastFailure {
  /** For `Effect.catchTag`. */
  readonly _tag = "AgentNotReady"
  /** The obstacle's own code, e.g. `KEY_MISSING`. */
  readonly code: string
  /** As the adapter judges it. */
  readonly retryable: boolean
  constructor(obstacle: Obstacle) {
    super(obstacle.explanation)
    this.name = "AgentNotReady"
    this.code = obstacle.code
    this.retryable = obstacle.retryable
  }
}
