/**
 * What a host does with a run folder that it finds: the protocol's table as one pure function. The spool was
 * read to its end before this is asked; a terminal line in it settles the turn, whatever the files say.
 */
import { z } from "zod"
import { processIdentity } from "./words.ts"

/** How the launcher tells that the agent was never started although the run was claimed. */
export const startFailure = z.enum([
  "cwd", // the working folder cannot be entered
  "prompt", // the prompt is not the one that was prepared
  "digestTool", // no program here computes SHA-256
  "spool", // stdout or stderr cannot be opened
  "record", // `agent` could not be written, so nothing was started
  "stopped", // a signal came before the agent was started
  "exec", // the binary could not be executed: missing, not executable, arguments too long
])
/** One of `startFailure`. */
export type StartFailure = z.infer<typeof startFailure>

/** The folder's files as one host sees them at one moment. */
export const found = z.strictObject({
  claim: z.enum(["none", "launcher", "host"]),
  /** The claiming launcher and its agent, judged by identity; `none` without a claim by a launcher. */
  process: z.enum(["none", "alive", "dead", "elsewhere"]),
  /** The `agent` file is there: the program was started. */
  agent: z.boolean(),
  /** Status in the `exit` file. */
  exit: z.int().nullable(),
  /** Why the program was not started, where the launcher could tell. */
  startFailure: startFailure.nullable(),
  /** Reason in the `ended` file. */
  ended: z.enum(["unattended", "spoolLimit"]).nullable(),
  /** This boot is the one in which the launcher was asked for. */
  sameBoot: z.boolean(),
  launcher: processIdentity.nullable(),
})
/** See `found`. */
export type Found = z.infer<typeof found>

/** The rows of the run folder's protocol: what a folder's files mean together. */
export const foundRow = z.enum([
  "notDelivered",
  "claimLostWithPower",
  "tombstone",
  "adopt",
  "elsewhere",
  "endedByLauncher",
  "exited",
  "neverStarted",
  "vanished",
])
/** One of `foundRow`. */
export type FoundRow = z.infer<typeof foundRow>

/** Rows in the order in which they are asked. */
export function rowOf(folder: Found): FoundRow {
  if (folder.claim === "host") return "tombstone"
  if (folder.claim === "none") return folder.sameBoot ? "notDelivered" : "claimLostWithPower"
  if (folder.ended !== null) return "endedByLauncher"
  // No file is synced: after a power cut only what is there says something, so a missing `agent` says nothing.
  const started = folder.agent || (!folder.sameBoot && folder.startFailure === null)
  if (folder.exit !== null) return started ? "exited" : "neverStarted"
  if (folder.process === "alive") return "adopt"
  if (folder.process === "elsewhere") return "elsewhere"
  return started ? "vanished" : "neverStarted"
}
