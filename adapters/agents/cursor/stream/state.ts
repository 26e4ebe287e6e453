/**
 * The translator's own state: plain data, replaced and never changed, bounded by `limits.ts`. It lives as long
 * as one run and is rebuilt by reading the spool again, so nothing in it is stored.
 */
import type { AgentEvent } from "../../../../effects/agent.ts"
import type { Usage } from "../../../../machines/words.ts"
import type { Calls } from "../../common/stream/calls.ts"
import { emptyReply, type Reply } from "./reply.ts"

export interface CursorState {
  /** The conversation that was to be resumed. */
  readonly resume: string | null
  readonly conversation: string | null
  /** The display name of what runs; only `system/init` says it. */
  readonly model: string | null
  readonly reply: Reply
  readonly calls: Calls
  /** What was printed as plain text since the last line of the protocol. */
  readonly plain: string
  readonly protocolLines: number
  readonly notJson: number
  readonly unknown: number
  readonly denied: number
  readonly end: End | null
}

/** The terminal line. */
export interface End {
  readonly isError: boolean
  /** The reply, or on some builds the error; null when the line does not say, or was too long to keep. */
  readonly text: string | null
  /** An error said in a field of its own. */
  readonly error: string | null
  readonly usage: Usage | null
  readonly truncated: boolean
}

export interface Step {
  readonly state: CursorState
  readonly events: readonly AgentEvent[]
}

export const initialState: CursorState = {
  resume: null,
  conversation: null,
  model: null,
  reply: emptyReply,
  calls: [],
  plain: "",
  protocolLines: 0,
  notJson: 0,
  unknown: 0,
  denied: 0,
  end: null,
}

export const quiet = (state: CursorState): Step => ({ state, events: [] })

/** Runs the second step on what the first one left. (An export named `then` would make the module a thenable.) */
export function andThen(first: Step, next: (state: CursorState) => Step): Step {
  const second = next(first.state)
  return second.events.length === 0
    ? { state: second.state, events: first.events }
    : { state: second.state, events: [...first.events, ...second.events] }
}
