/**
 * Making a run's folder ready, so that a launcher needs nothing else. Doing it twice is doing it once: what is
 * there is compared, never overwritten, and a spool is never emptied.
 */
import { createHash } from "node:crypto"
import { dirname, join } from "node:path"
import type { ProcessIdentity } from "../../machines/words.ts"
import { ensureFile, ensureFolder, flushFolder, readIfThere, replaceFile } from "./durable.ts"
import { formatIdentity, formatSpec, type RunSpec, runSpec } from "./files.ts"

export interface Preparation {
  readonly run: string
  readonly prompt: Uint8Array
  readonly spec: RunSpec
  /** The host that owns the run from now on. */
  readonly owner: ProcessIdentity
}

export function prepareFolder(folder: string, { prompt, spec, owner }: Preparation): void {
  ensureFolder(folder)
  replaceFile(join(folder, "owner"), formatIdentity(owner), true)
  ensureFile(join(folder, "stdout"))
  ensureFile(join(folder, "stderr"))
  const promptSha256 = createHash("sha256").update(prompt).digest("hex")
  publishOnce(join(folder, "prompt"), prompt)
  // Last: the launcher finds the prompt's digest in it, and starts nothing without.
  publishOnce(join(folder, "spec"), Buffer.from(formatSpec({ ...runSpec.parse(spec), promptSha256 })))
  flushFolder(folder)
  flushFolder(dirname(folder))
}

function publishOnce(path: string, bytes: Uint8Array): void {
  const found = readIfThere(path)
  if (found === null) replaceFile(path, bytes, true)
  else if (!found.equals(bytes))
    throw Object.assign(new Error("the run has other content"), { code: "CONFLICT" })
}
