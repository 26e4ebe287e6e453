/**
 * Whether the CLI still has a conversation, read from its own store: resuming one that is gone does not fail, it
 * opens an empty one under the same id (RS-01). "no" is only said when the store could be read and lacks it.
 */
import { createHash } from "node:crypto"
import { readdir, readFile, realpath } from "node:fs/promises"
import { join } from "node:path"
import { isRecord } from "../common/stream/json.ts"

export type Presence = "yes" | "no" | "unknown"

/** Ids that can be a folder's name; others are never looked for on a disk. */
const folderName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** `<config>/chats/<md5 of the physical cwd>/<id>/{store.db, meta.json}`; a moved worktree has another bucket. */
export async function conversationPresence(configDir: string, cwd: string, id: string): Promise<Presence> {
  if (!folderName.test(id)) return "unknown"
  const chats = join(configDir, "chats")
  try {
    const bucket = bucketOf(await realpath(cwd))
    // The root must be readable: without it, a build that stores elsewhere would look like a loss.
    if (!(await readdir(chats)).includes(bucket)) return "no"
    if (!(await readdir(join(chats, bucket))).includes(id)) return "no"
    return await contentPresence(join(chats, bucket, id))
  } catch {
    return "unknown"
  }
}

async function contentPresence(folder: string): Promise<Presence> {
  const files = await readdir(folder)
  // Stores are garbage collected at times, and leave the folder.
  if (!files.includes("store.db") && !files.includes("meta.json")) return "no"
  if (!files.includes("meta.json")) return "yes"
  const meta: unknown = JSON.parse(await readFile(join(folder, "meta.json"), "utf8"))
  // Nothing was said in it, as far as the CLI knows; whether it keeps that up to date is not known.
  return isRecord(meta) && meta.hasConversation === false ? "unknown" : "yes"
}

/** MD5 as the CLI does it: a name, not a protection. */
export function bucketOf(physicalCwd: string): string {
  return createHash("md5").update(physicalCwd).digest("hex")
}
