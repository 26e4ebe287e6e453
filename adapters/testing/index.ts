/**
 * What programs that embed Holdfast need for their own tests: the rehearsal agent, its scenarios and its journal.
 * It behaves like the real CLI as a process, calls no service and costs nothing.
 */
export { type RehearsalOptions, rehearsal } from "../agents/cursor/rehearsal.ts"
export * from "../rehearsal/index.ts"
