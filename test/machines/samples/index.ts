/**
 * Every machine with what the graph needs to explore it. A machine that the library defines and this list does
 * not have fails a test, so that nothing ships without being walked.
 */
import { folder, type MachineDefinition, run, session, turn } from "../../../machines/index.ts"
import type { AnyInput } from "../given.ts"
import { folderInputs, folderKey } from "./folder.ts"
import { runInputs, runKey, withOpenTools } from "./run.ts"
import { sessionInputs, sessionKey, session as sessionSample } from "./session.ts"
import { turnInputs, turnKey } from "./turn.ts"

export interface Walk {
  readonly definition: MachineDefinition
  readonly inputs: readonly AnyInput[]
  /** What tells two states apart besides their names; keeps the graph finite. */
  readonly key: (context: Readonly<Record<string, unknown>>) => unknown
  /** Where the exploration begins, besides nothing: places that are too far to be found. */
  readonly beginnings: readonly (readonly AnyInput[])[]
}

export const walks: readonly Walk[] = [
  {
    definition: session,
    inputs: sessionInputs,
    key: sessionKey,
    beginnings: [sessionSample.crowded(100)],
  },
  { definition: turn, inputs: turnInputs, key: turnKey, beginnings: [] },
  { definition: run, inputs: runInputs, key: runKey, beginnings: [withOpenTools(64)] },
  { definition: folder, inputs: folderInputs, key: folderKey, beginnings: [] },
]
