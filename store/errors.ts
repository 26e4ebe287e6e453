/**
 * Everything that the store refuses, as tagged classes: fields, a stable `code`, whether the same again may
 * work, and a message that is made from the fields and names the next step. No text of a user goes in here.
 */
import type { Rejected as KernelRejection } from "../machines/kernel.ts"

/** What every error of the store has. The message is made from the fields and holds no text of a user. */
export abstract class StoreError extends Error {
  /** The class's name, e.g. for `Effect.catchTag`. */
  abstract readonly _tag: string
  /** Stable, upper case, one per cause. */
  abstract readonly code: string
  /** The same again may work without anybody changing anything. */
  abstract readonly retryable: boolean
}

/** What the machines refuse, as a sentence with the next step. */
const rejections: Readonly<Record<string, string>> = {
  SESSION_UNKNOWN: "There is no such session. List them with `holdfast sessions`",
  SESSION_EXISTS: "There is a session by this id already. Send it a prompt, or choose another id",
  SESSION_DISPOSED: "This session is over. Start a new one",
  SESSION_ARCHIVED: "This session was put away. Resume it first",
  TURN_EXISTS: "There is a turn by this id already. Wait for it, or choose another id",
  TURN_NOT_RUNNING: "This turn neither runs nor waits: it is over, and `holdfast log` says how",
  QUEUE_FULL: "As many turns wait as can wait. Let some end first",
  QUEUE_NOT_EMPTY: "Turns are waiting. Interrupt them first, then try again",
}

/** The machine does not take this input in this state. Nothing was appended; the command's id is free. */
export class Rejected extends StoreError {
  readonly _tag = "Rejected"
  readonly retryable = false
  /** The machine's own word, e.g. `QUEUE_FULL`, or one of the kernel's. */
  readonly code: string
  /** The stream that was asked. */
  readonly stream: string
  /** The state it was in, and is in still. */
  readonly state: string
  /** Type of the input. */
  readonly input: string
  constructor(stream: string, rejection: Pick<KernelRejection, "code" | "state" | "input">) {
    const { code, state, input } = rejection
    super(
      `${rejections[code] ?? code} (${stream} does not take "${input}" while it is ${state}; nothing was changed).`,
    )
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
  /** The stream whose step sent it. */
  readonly parent: string
  /** The receiver's answer. */
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

/** A command id came again with other content (I5). Nothing was done. */
export class CommandConflict extends StoreError {
  readonly _tag = "CommandConflict"
  readonly code = "COMMAND_CONFLICT"
  readonly retryable = false
  /** The command id: for a turn `send:<session>:<id>`. */
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
  /** The session that this host may not append to. */
  readonly session: string
  /** Id of the host that owns it; null when nobody does. */
  readonly owner: string | null
  constructor(session: string, owner: string | null) {
    const who = owner === null ? "nobody owns" : `host ${owner} owns`
    super(`This host does not own session ${session} (${who} it). Claim it first, or post to the inbox.`)
    this.session = session
    this.owner = owner
  }
}

/** Nothing was ever appended to this stream. */
export class StreamUnknown extends StoreError {
  readonly _tag = "StreamUnknown"
  readonly code = "STREAM_UNKNOWN"
  readonly retryable = false
  /** Its name. */
  readonly stream: string
  constructor(stream: string) {
    super(`There is no stream ${stream}. Launch the session, or check the id.`)
    this.stream = stream
  }
}

/** An event of the stream cannot be used, so the stream cannot be; every other one can (I6). */
export class StreamQuarantined extends StoreError {
  readonly _tag = "StreamQuarantined"
  readonly code = "STREAM_QUARANTINED"
  readonly retryable = false
  /** Its name. */
  readonly stream: string
  /** Position of the event in the log. */
  readonly position: number
  /** A stable code. */
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

/** More than the store takes at once; nothing was changed. */
export class LimitExceeded extends StoreError {
  readonly _tag = "LimitExceeded"
  readonly code = "LIMIT_EXCEEDED"
  /** True where waiting makes room. */
  readonly retryable: boolean
  /** What there is too much of. */
  readonly limit: string
  /** How much there may be. */
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

/** The session was erased: it has no key any more, so nothing new can be said in it. */
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
  STORE_IO: [
    true,
    "The log's file could not be read or written. Check the disk and the limit of open files, then try again",
  ],
  STORE_CORRUPT: [false, "The log's file is damaged. Restore a copy, or run verify on it"],
  STORE_CLOSED: [false, "The store was closed. Open it again"],
  STORE_DEFECT: [false, "SQLite refused a statement of ours. Report this"],
} as const satisfies Record<string, readonly [boolean, string]>
/** The codes of `StoreUnavailable`. */
export type UnavailableCode = keyof typeof unavailable

/** SQLite or the disk under it refused; `retryable` says whether waiting can help. */
export class StoreUnavailable extends StoreError {
  readonly _tag = "StoreUnavailable"
  /** What is in the way. */
  readonly code: UnavailableCode
  /** True for a full disk, a lock held elsewhere, and an error of the disk. */
  readonly retryable: boolean
  constructor(code: UnavailableCode, cause?: unknown) {
    super(`${unavailable[code][1]}.`, { cause })
    this.code = code
    this.retryable = unavailable[code][0]
  }
}

const folderReasons = {
  FOLDER_MISSING: "does not exist yet. Start a host once, or check HOLDFAST_HOME",
  FOLDER_LOG_GONE:
    "holds runs of agents, and a log that is missing or empty. Put the log back from a copy, or choose another folder",
  FOLDER_NOT_OURS: "holds a log that Holdfast did not write. Choose another folder",
  FOLDER_NEWER: "was written by a newer version. Update this program",
  FOLDER_OLDER: "was written by an older version. Start a host on it once; it is migrated then",
  FOLDER_NETWORK: "is on a network file system, where locks cannot be trusted. Choose a local one",
  FOLDER_READ_ONLY: "cannot be written. Check the mount and the rights",
  FOLDER_OWNER: "belongs to somebody else. Choose another folder, or run as its owner",
  FOLDER_MODE: "may be entered by others. Run chmod 700 on it",
} as const
/** The codes of `StateFolderRefused`. */
export type FolderCode = keyof typeof folderReasons

/** The state folder cannot be used as it is. Nothing was changed in it. */
export class StateFolderRefused extends StoreError {
  readonly _tag = "StateFolderRefused"
  /** What is wrong with it. */
  readonly code: FolderCode
  readonly retryable = false
  /** Its absolute path. */
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
  /** The host id. */
  readonly host: string
  constructor(host: string, cause?: unknown) {
    super(`Host ${host} is already running. Use a new host id for every host.`, { cause })
    this.host = host
  }
}
