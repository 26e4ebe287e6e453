/**
 * The translator's own state: plain data, replaced and never changed, bounded by the limits that all agents share.
 * It lives as long as one run and is rebuilt by reading the spool again, so nothing in it is stored.
 */
import type { AgentEvent, RunStart } from "../../../../effects/agent.ts"
import type { Usage } from "../../../../machines/words.ts"
import type { Calls } from "../../common/stream/calls.ts"

export interface CodexState {
  readonly start: RunStart
  readonly conversation: string | null
  /** All messages so far, an empty line between two. */
  readonly text: string
  /** Messages so far: each is a block of its own. */
  readonly messages: number
  readonly truncated: boolean
  /** The last thing that happened was a whole message, so nothing of the reply is missing. */
  readonly spokeLast: boolean
  readonly calls: Calls
  /** The latest error that was said on the way; Codex goes on trying after some of them. */
  readonly error: string | null
  readonly protocolLines: number
  readonly notJson: number
  readonly unknown: number
  readonly denied: number
  readonly end: End | null
}

/** The terminal line. */
export interface End {
  /** Null for a turn that was completed. */
  readonly error: string | null
  /** Of the whole conversation. */
  readonly conversationUsage: Usage | null
}

export interface Step {
  readonly state: CodexState
  readonly events: readonly AgentEvent[]
}

export const initialState = (start: RunStart): CodexState => ({
  start: { resume: start.resume, usageBefore: start.usageBefore },
  conversation: null,
  text: "",
  messages: 0,
  truncated: false,
  spokeLast: false,
  calls: [],
  error: null,
  protocolLines: 0,
  notJson: 0,
  unknown: 0,
  denied: 0,
  end: null,
})

export const quiet = (state: CodexState): Step => ({ state, events: [] })
export const told = (state: CodexState, ...events: readonly AgentEvent[]): Step => ({ state, events })

/** A known type in a shape that is not: counted like an unknown type, since both mean that the protocol moved. */
export const unreadable = (state: CodexState): Step => quiet({ ...state, unknown: state.unknown + 1 })
