/**
 * A failure as a log line may tell it: its name, its codes, the places in the program it came through. Its message
 * only where we made it from names and numbers; any other may quote a prompt, a reply, an argument or a key (I4).
 */
import { Cause } from "effect"
import { StoreError } from "../../store/errors.ts"
import { RunFolderError } from "../run-folder/errors.ts"

export interface LoggedFailure {
  /** The class of the error, or the type of what was thrown instead. */
  readonly error: string
  readonly code?: string
  readonly retryable?: boolean
  readonly message?: string
  /** The innermost frames. */
  readonly at?: readonly string[]
  readonly cause?: LoggedFailure
}

const maxFrames = 8
const maxDepth = 4

/** Everything that came together in a cause; interruptions are not failures. */
export function failuresOf(cause: Cause.Cause<unknown>): readonly LoggedFailure[] {
  return cause.reasons.flatMap(reason => {
    if (Cause.isFailReason(reason)) return [describe(reason.error, maxDepth)]
    return Cause.isDieReason(reason) ? [describe(reason.defect, maxDepth)] : []
  })
}

function describe(thrown: unknown, depth: number): LoggedFailure {
  if (!(thrown instanceof Error)) return { error: typeof thrown }
  const { code, retryable } = thrown as { code?: unknown; retryable?: unknown }
  const ours = thrown instanceof StoreError || thrown instanceof RunFolderError
  const frames = framesOf(thrown)
  return {
    error: thrown.constructor.name,
    ...(isCode(code) && { code }),
    ...(typeof retryable === "boolean" && { retryable }),
    ...(ours && { message: thrown.message }),
    ...(frames.length > 0 && { at: frames }),
    ...(thrown.cause !== undefined && depth > 1 && { cause: describe(thrown.cause, depth - 1) }),
  }
}

/** Such as `ENOSPC` or `SQLITE_BUSY`: a word, so never a text. */
const isCode = (code: unknown): code is string =>
  typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code)

/** What follows the message in the stack. Where that cannot be told, nothing: a message may look like frames. */
function framesOf({ stack = "", message }: Error): readonly string[] {
  const found = stack.indexOf(message)
  if (found < 0) return []
  const frames = stack.slice(found + message.length).split("\n")
  return frames.flatMap(line => /^\s+at (.+)$/.exec(line)?.[1] ?? []).slice(0, maxFrames)
}
