/**
 * The agents that Holdfast can run, each a function that makes an adapter. Nothing is looked for or started here.
 */
export { type CursorOptions, cursor } from "./cursor/cursor.ts"
export type { FailureRule } from "./cursor/failures/rule.ts"
export { type Cost, costOf, type PriceTable, prices } from "./cursor/prices.ts"
export { AgentRefusal } from "./cursor/refusal.ts"
export { type RehearsalOptions, rehearsal } from "./cursor/rehearsal.ts"
