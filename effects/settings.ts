/** What a host was opened with, as one service. Data only: nothing here is changed after the opening. */
import { Context } from "effect"
import type { AgentAdapter, Environment } from "./agent.ts"

export interface HostSettings {
  /** Absolute path of the state folder. */
  readonly folder: string
  /** Id of this host: names its lock and its ownership of sessions. */
  readonly host: string
  readonly agents: ReadonlyMap<string, AgentAdapter>
  readonly env: Environment
  /** Between two looks at a busy spool. */
  readonly pollMs: number
  /** Between two looks at a spool that has been quiet for a while. */
  readonly quietPollMs: number
  /** How long a spool is kept after its turn has settled. */
  readonly spoolRetentionMs: number
  /** A longer line of an agent is dropped, and leaves a notice. */
  readonly maxLineBytes: number
}

export class Settings extends Context.Service<Settings, HostSettings>()("holdfast/effects/Settings") {}
