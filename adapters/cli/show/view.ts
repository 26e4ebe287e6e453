/**
 * How a verb shows a turn, whoever looks: the moments at which something is said. `json-view.ts` and
 * `person-view.ts` say it; neither decides anything.
 */
import type { Followed } from "../../../effects/follow/events.ts"
import type { TurnResult } from "../../library/turn.ts"
import type { Output } from "../output.ts"
import { jsonView } from "./json-view.ts"
import { personView } from "./person-view.ts"

export interface About {
  readonly session: string
  readonly agent: string
  readonly cwd: string
  readonly model: string
  /** The state folder. */
  readonly home: string
  readonly [more: string]: unknown
}

export type Told = Followed & { readonly at: string }

export interface View {
  session(about: About): void
  turn(turn: string, session: string): void
  event(event: Told): void
  /** The turn is asked to end; the outcome is waited for. */
  interrupting(turn: string): void
  result(result: TurnResult, ended: { readonly elapsedMs: number; readonly exit: number }): void
}

export interface ViewOptions {
  /** How to go on: the words to be typed, without the prompt. */
  readonly goOn: (session: string) => string
  /** Whether the events happen now, so that the time between two of them means something. */
  readonly live: boolean
}

export function viewOn(output: Output, options: ViewOptions): View {
  return output.json ? jsonView(output) : personView(output, options)
}
