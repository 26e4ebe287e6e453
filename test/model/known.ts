/** What the log knows of a run, as far as hosts and properties ask for it. Read only. */
import { z } from "zod"
import { closeReason, orThrow, type Snapshot } from "../../machines/index.ts"
import type { World } from "./world.ts"

const runContext = z.object({
  boot: z.string().nullable(),
  cursor: z.int(),
  reason: closeReason.nullable(),
  conclusion: z.object({ terminal: z.boolean() }).nullable(),
})
const contexts = new WeakMap<Snapshot, z.infer<typeof runContext>>()
export function runContextOf(world: World, run: string): z.infer<typeof runContext> {
  const snapshot = orThrow(world.log.streams[`run:${run}`])
  const known = contexts.get(snapshot) ?? runContext.parse(snapshot.context)
  contexts.set(snapshot, known)
  return known
}
