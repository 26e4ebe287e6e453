/**
 * Codex' conversations: which ids are its own, and whether it still has one, read from its own store. "no" is only
 * said when the store could be read and lacks it.
 */
import { readdir } from "node:fs/promises"
import { join } from "node:path"

export type Presence = "yes" | "no" | "unknown"

/** Asked to resume anything but a UUID, Codex begins a new conversation and does not say so (0.171.0). */
export const isThreadId = (id: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/** `sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`, nothing else of its store is needed to resume one. */
export async function conversationPresence(home: string, id: string): Promise<Presence> {
  if (!isThreadId(id)) return "no"
  const suffix = `-${id}.jsonl`
  try {
    const names = await readdir(join(home, "sessions"), { recursive: true })
    if (names.some(name => name.endsWith(suffix) || name.endsWith(`${suffix}.zst`))) return "yes"
    // One that was archived is not found either.
    return "no"
  } catch {
    return "unknown"
  }
}
