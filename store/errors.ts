/**
 * Everything that the store refuses, as tagged classes: fields, a stable `code`, whether the same again may
 * work, and a message that is made from the fields and names the next step. No text of a user goes in here.
 */
import type { Rejected as KernelRejection } from "../machines/kernel.ts"

export abstract class StoreError extends Error {
  abstract readonly _tag: string
  abstract readonly code: string
  abstract readonly retryable: boolean
}

/** The machine does not take this input in this state. Nothing was appended; the command's id is free. */
export class Rejected extends StoreError {
  readonly _tag = "Rejected"
  readonly retryable = false
  readonly code: string
  readonly stream: string
  readonly state: string
  readonly input: string
  constructor(stream: string, rejection: Pick<KernelRejection, "code" | "state" | "input">) {
    const { code, state, input } = rejection
    super(`${code}: ${stream} does not take "${input}" while it is ${state}. Nothing was changed.`)
    this.code = code
    this.stream = stream
    this.state = state
    this.input = input
  }
}

/** A machine sent an input that its receiver refuses. Sends are observations, so this is a defect of ours. */
export class SendRefused extends StoreError {
  readonly _tag = "SendRefused"
  readonly code = "SEND_REFUSED"
  readonly retryable = false
  readonly parent: string
  readonly rejection: KernelRejection
  constructor(parent: string, stream: string, rejection: KernelRejection) {
    const { input, code } = rejection
    super(
      `${parent} sent "${input}" to ${stream}, which refused it (${code}). Nothing was changed; report this.`,
    )
    this.parent = parent
    this.rejection = rejection
  }
}

/** A machine broke its own rules while stepping. */
export class MachineDefect extends StoreError {
  readonly _tag = "MachineDefect"
  readonly code = "MACHINE_DEFECT"
  readonly retryable = false
  constructor(stream: string, input: string, cause: unknown) {
    super(`The machine of ${stream} failed on "${input}". Nothing was changed; report this.`, { cause })
  }
}

export class CommandConflict extends StoreError {
  readonly _tag = "CommandConflict"
  readonly code = "COMMAND_CONFLICT"
  readonly retryable = false
  readonly command: string
  constructor(command: string) {
    super(`The id "${command}" was used for another command. Use a new id, or send the same content.`)
    this.command = command
  }
}

/** Another host owns the session, or this one never claimed it. */
export class Deposed extends StoreError {
  readonly _tag = "Deposed"
  readonly code = "DEPOSED"
  readonly retryable = false
  readonly session: string
  readonly owner: string | null
  constructor(session: string, owner: string | null) {
    const who = owner === null ? "nobody owns" : `host ${owner} owns`
    super(`This host does not own session ${session} (${who} it). Claim it first, or post to the inbox.`)
    this.session = session
    this.owner = owner
  }
}

export class StreamUnknown extends StoreError {
  readonly _tag = "StreamUnknown"
  readonly code = "STREAM_UNKNOWN"
  readonly retryable = false
  readonly stream: string
  constructor(stream: string) {
    super(`There is no stream ${stream}. Launch the session, or check the id.`)
    this.stream = stream
  }
}

export class StreamQuarantined extends StoreError {
  readonly _tag = "StreamQuarantined"
  readonly code = "STREAM_QUARANTINED"
  readonly retryable = false
  readonly stream: string
  readonly position: number
  readonly reason: string
  constructor(stream: string, position: number, reason: string) {
    super(
      `Stream ${stream} is quarantined: its event at position ${position} cannot be used (${reason}). ` +
        `Other streams work; run verify, and use the version that wrote it or start a new session.`,
    )
    this.stream = stream
    this.position = position
    this.reason = reason
  }
}

export class LimitExceeded extends StoreError {
  readonly _tag = "LimitExceeded"
  readonly code = "LIMIT_EXCEEDED"
  readonly retryable: boolean
  readonly limit: string
  readonly max: number
  constructor(limit: string, max: number, retryable = false) {
    super(
      `More than ${max} ${limit}. Nothing was changed; ${retryable ? "wait and try again" : "ask for less"}.`,
    )
    this.limit = limit
    this.max = max
    this.retryable = retryable
  }
}

/** The submission itself is malformed: a defect of the caller. */
export class BadSubmission extends StoreError {
  readonly _tag = "BadSubmission"
  readonly code = "BAD_SUBMISSION"
  readonly retryable = false
  constructor(what: string) {
    super(`The submission cannot be stored: ${what}.`)
  }
}

export class SessionErased extends StoreError {
  readonly _tag = "SessionErased"
  readonly code = "SESSION_ERASED"
  readonly retryable = false
  constructor(session: string) {
    super(`The texts and the key of session ${session} were erased. Start a new session.`)
  }
}

const unavailable = {
  STORE_FULL: [true, "The disk is full. Make room; nothing was lost, and the same again will work"],
  STORE_LOCKED: [true, "Another process held the log for too long. Try again"],
  STORE_READ_ONLY: [false, "The log cannot be written. Check the file's owner and mode, and the mount"],
  STORE_IO: [true, "The disk reported an error. Check it, then try again"],
  STORE_CORRUPT: [false, "The log's file is damaged. Restore a copy, or run verify on it"],
  STORE_CLOSED: [false, "The store was closed. Open it again"],
  STORE_DEFECT: [false, "SQLite refused a statement of ours. Report this"],
} as const satisfies Record<string, readonly [boolean, string]>
export type UnavailableCode = keyof typeof unavailable

export class StoreUnavailable extends StoreError {
  readonly _tag = "StoreUnavailable"
  readonly code: UnavailableCode
  readonly retryable: boolean
  constructor(code: UnavailableCode, cause?: unknown) {
    super(`${unavailable[code][1]}.`, { cause })
    this.code = code
    this.retryable = unavailable[code][0]
  }
}

const folderReasons = {
  FOLDER_MISSING: "does not exist yet. Start a host once, or check HOLDFAST_HOME",
  FOLDER_NOT_OURS: "holds a log that Holdfast did not write. Choose another folder",
  FOLDER_NEWER: "was written by a newer version. Update this program",
  FOLDER_OLDER: "was written by an older version. Start a host on it once; it is migrated then",
  FOLDER_NETWORK: "is on a network file system, where locks cannot be trusted. Choose a local one",
  FOLDER_READ_ONLY: "cannot be written. Check the mount and the rights",
  FOLDER_OWNER: "belongs to somebody else. Choose another folder, or run as its owner",
  FOLDER_MODE: "may be entered by others. Run chmod 700 on it",
} as const
export type FolderCode = keyof typeof folderReasons

export class StateFolderRefused extends StoreError {
  readonly _tag = "StateFolderRefused"
  readonly code: FolderCode
  readonly retryable = false
  readonly folder: string
  constructor(code: FolderCode, folder: string, cause?: unknown) {
    super(`The state folder ${folder} ${folderReasons[code]}.`, { cause })
    this.code = code
    this.folder = folder
  }
}

/** This process already holds, or another one still holds, the lock of that host id. */
export class HostTaken extends StoreError {
  readonly _tag = "HostTaken"
  readonly code = "HOST_TAKEN"
  readonly retryable = false
  readonly host: string
  constructor(host: string, cause?: unknown) {
    super(`Host ${host} is already running. Use a new host id for every host.`, { cause })
    this.host = host
  }
}
