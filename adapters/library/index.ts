/** The library's front door: what `import ... from "holdfast"` gives. */
import "./node-version.ts"

export type {
  AgentAdapter,
  AgentStatus,
  Capabilities,
  Conclusion,
  Environment,
  Obstacle,
  Translator,
} from "../../effects/agent.ts"
export type { Cursor, Followed, TurnEvent, TurnSettled } from "../../effects/follow/events.ts"
export type { Failure, FailureKind, RunLimits, TurnOutcome, Usage, Verdict } from "../../machines/words.ts"
export { defaultLimits, maxPromptBytes } from "./checks.ts"
export type { HoldfastError } from "./effect/errors.ts"
export { Holdfast, type HoldfastVerbs, type LayerOptions } from "./effect/holdfast.ts"
export type { HoldfastSession } from "./effect/session.ts"
export type { HoldfastTurn, StreamOptions } from "./effect/turn.ts"
export { AgentNotReady, type HoldfastFailure, Refusal, type RefusalCode } from "./errors.ts"
export { type FollowOptions, Refused } from "./front.ts"
export {
  type CloseOptions,
  Host,
  type LaunchOptions,
  type OpenHostOptions,
  openHost,
} from "./host.ts"
export { type SendOptions, Session } from "./session.ts"
export { stateFolder } from "./state-folder.ts"
export { Turn, type TurnResult } from "./turn.ts"
