/**
 * Reading all of a run's folder as one typed value. The order is part of the protocol; what it means for a turn
 * is decided elsewhere, and only after the spool was read to its end.
 */
import { join } from "node:path"
import type { ProcessIdentity } from "../../machines/words.ts"
import { readIfThere, sizeIfThere } from "./durable.ts"
import {
  type Claim,
  type Exit,
  parseClaim,
  parseEnded,
  parseExit,
  parseIdentity,
  parseSpec,
  type RunEnded,
  type RunSpec,
  type StoredSpec,
} from "./files.ts"

/** All that the folder says at one moment. */
export interface RunFolderState {
  readonly claim: Claim | null
  /** The agent was started, as this process. */
  readonly agent: ProcessIdentity | null
  readonly exit: Exit | null
  readonly ended: RunEnded | null
  readonly owner: ProcessIdentity | null
  readonly spec: RunSpec | null
  /** Sizes of the spools; null when there is none. */
  readonly stdoutBytes: number | null
  readonly stderrBytes: number | null
}

export function readFolder(folder: string): RunFolderState {
  // `exit` first: it is the launcher's last word, so what is read after it is final too. In the other order an
  // `agent` that is taken back, because the program could not be executed, would look like one that ran.
  const exit = parseExit(readText(folder, "exit"))
  return {
    exit,
    ended: parseEnded(readText(folder, "ended")),
    agent: parseIdentity(readText(folder, "agent")),
    claim: parseClaim(readText(folder, "claim")),
    owner: parseIdentity(readText(folder, "owner")),
    spec: parseSpec(readText(folder, "spec")),
    stdoutBytes: sizeIfThere(join(folder, "stdout")),
    stderrBytes: sizeIfThere(join(folder, "stderr")),
  }
}

export function readSpec(folder: string): StoredSpec {
  const spec = parseSpec(readText(folder, "spec"))
  if (spec === null) throw Object.assign(new Error("the run has no spec"), { code: "ENOENT" })
  return spec
}

/** "" when there is no such file, which no parser takes for one. */
export function readText(folder: string, name: string): string {
  return readIfThere(join(folder, name))?.toString("utf8") ?? ""
}
