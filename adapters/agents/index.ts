/**
 * The agents that Holdfast can run, each a function that makes an adapter. Nothing is looked for or started here.
 */

export { type CodexOptions, codex, type Sandbox } from "./codex/codex.ts"
export type { CodexConfig, ConfigValue } from "./codex/config.ts"
export type { FailureRule } from "./common/failures/rule.ts"
export { AgentRefusal } from "./common/refusal.ts"
export { type CursorOptions, cursor } from "./cursor/cursor.ts"
export { type Cost, costOf, type PriceTable, prices } from "./cursor/prices.ts"
export { type RehearsalOptions, rehearsal } from "./cursor/rehearsal.ts"
