/**
 * What can go wrong with a run folder, as one typed error. Only codes, names and numbers: the message is made
 * here and never repeats what a file holds.
 */
import { Schema } from "effect"
import { ZodError } from "zod"

export const runFolderCode = {
  ENOSPC: { code: "NO_SPACE", retryable: true, next: "free space on the state folder's disk" },
  EDQUOT: { code: "NO_SPACE", retryable: true, next: "free space within the quota of the state folder" },
  EACCES: { code: "DENIED", retryable: false, next: "make the state folder belong to this user, mode 0700" },
  EPERM: { code: "DENIED", retryable: false, next: "use a file system that allows hard links and modes" },
  EROFS: { code: "READ_ONLY", retryable: false, next: "put the state folder on a writable disk" },
  ENOENT: { code: "MISSING", retryable: false, next: "prepare the run's folder first" },
  ENOTDIR: { code: "MISSING", retryable: false, next: "check what is in the way of the state folder" },
  EMFILE: { code: "EXHAUSTED", retryable: true, next: "raise the limit of open files" },
  ENFILE: { code: "EXHAUSTED", retryable: true, next: "raise the limit of open files" },
  EAGAIN: { code: "EXHAUSTED", retryable: true, next: "raise the limit of processes" },
  ENOMEM: { code: "EXHAUSTED", retryable: true, next: "free memory" },
  E2BIG: { code: "TOO_BIG", retryable: false, next: "shorten the arguments or the environment" },
  CONFLICT: { code: "CONFLICT", retryable: false, next: "use a new run id for another prompt or spec" },
  EINVAL: {
    code: "INVALID",
    retryable: false,
    next: "give a valid run id, absolute paths and limits above 0",
  },
  EIO: { code: "IO", retryable: true, next: "check the state folder's disk" },
} as const satisfies Record<string, { code: string; retryable: boolean; next: string }>

type Reason = keyof typeof runFolderCode

export class RunFolderError extends Schema.TaggedError<RunFolderError>()("RunFolderError", {
  code: Schema.Literals([
    "NO_SPACE",
    "DENIED",
    "READ_ONLY",
    "MISSING",
    "EXHAUSTED",
    "TOO_BIG",
    "CONFLICT",
    "INVALID",
    "IO",
  ]),
  operation: Schema.String,
  run: Schema.String,
  /** The system's own name for it, e.g. `ENOSPC`. */
  errno: Schema.String,
  retryable: Schema.Boolean,
  next: Schema.String,
  cause: Schema.optional(Schema.Defect()),
}) {
  override get message(): string {
    return `${this.operation} failed for run ${this.run} (${this.errno}): ${this.next}`
  }
}

export function runFolderError(operation: string, run: string, cause: unknown): RunFolderError {
  const errno = errnoOf(cause)
  const { code, retryable, next } = runFolderCode[errno in runFolderCode ? (errno as Reason) : "EIO"]
  return new RunFolderError({ code, operation, run, errno, retryable, next, cause })
}

export function errnoOf(cause: unknown): string {
  if (cause instanceof ZodError) return "EINVAL"
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  return typeof code === "string" ? code : "UNKNOWN"
}
