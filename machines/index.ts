/** Everything of the machines that is public: the definitions, the kernel that steps them, their words. */
import type { MachineDefinition } from "./kernel.ts"
import { run } from "./run.ts"
import { session } from "./session.ts"
import { turn } from "./turn.ts"

export { folder } from "./folder.ts"
export * from "./folder-table.ts"
export * from "./kernel.ts"
export { maxQueuedTurns } from "./session.ts"
export type { Settlement } from "./turn.ts"
export * from "./words.ts"
export { run, session, turn }

/** Every machine of the log by its name, which is also the first part of its streams' names. */
export const definitions: Readonly<Record<string, MachineDefinition>> = { session, turn, run }
