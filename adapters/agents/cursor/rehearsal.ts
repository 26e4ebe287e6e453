/**
 * The rehearsal agent: the Cursor adapter on our own double of the CLI, for tests, demos and first steps. It needs
 * no key and no network, and gets no key even when there is one, since it writes a journal of what it was given.
 */
import type { AgentAdapter } from "../../../effects/agent.ts"
import { rehearsalProgram } from "../../rehearsal/index.ts"
import type { FailureRule } from "../common/failures/rule.ts"
import { adapter } from "./adapter.ts"

/** What the double is told; everything is optional. */
export interface RehearsalOptions {
  /** What the double plays: the name of a built-in scenario, or a path. Default: `HOLDFAST_REHEARSAL`. */
  readonly scenario?: string
  /** The file its journal is appended to. Default: `HOLDFAST_REHEARSAL_JOURNAL`. */
  readonly journal?: string
  /** A factor on all its waits, 0 for none. Default: `HOLDFAST_REHEARSAL_PACE`. */
  readonly pace?: number
  /** The model of sessions that name none. Default: `auto`. */
  readonly model?: string
  /** As in `CursorOptions`. Default: none. */
  readonly extraArgs?: readonly string[]
  /** Names of more variables that its environment takes from the host's. Default: none. */
  readonly passEnvironment?: readonly string[]
  /** Rows that are asked before our own failure table. Default: none. */
  readonly failures?: readonly FailureRule[]
}

/**
 * The double as the agent named `rehearsal`, run by this process's own Node. Throws an `AgentRefusal` as `cursor` does;
 * a scenario that does not fit is told by the program itself when it starts, and the turn fails.
 */
export function rehearsal(options: RehearsalOptions = {}): AgentAdapter {
  const overrides = {
    HOLDFAST_REHEARSAL: options.scenario,
    HOLDFAST_REHEARSAL_JOURNAL: options.journal,
    HOLDFAST_REHEARSAL_PACE: options.pace?.toString(),
  }
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined)
  return adapter({
    name: "rehearsal",
    defaultModel: options.model ?? "auto",
    leadingArgs: [rehearsalProgram],
    extraArgs: options.extraArgs ?? [],
    keyVariables: [],
    // A program that starts for every turn may keep what it compiled.
    ownVariables: [...Object.keys(overrides), "NODE_COMPILE_CACHE"],
    passEnvironment: options.passEnvironment ?? [],
    setEnvironment: { NO_COLOR: "1", ...Object.fromEntries(given) },
    failures: options.failures ?? [],
    acceptLogin: false,
    locate: async () => ({ binary: process.execPath }),
  })
}
