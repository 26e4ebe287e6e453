/**
 * Why a submission's inputs happen, resolved once: command, outcome of an effect, fired timer, or none of them.
 * Null means that the effect or timer is already over, and then nothing is appended.
 */
import type { Tables } from "./derive.ts"
import { BadSubmission, LimitExceeded } from "./errors.ts"
import { timerCause } from "./timers.ts"
import { type Actor, actors, type Cause, type Submission } from "./types.ts"

export interface Root {
  readonly actor: Actor
  readonly cause: Cause | null
  readonly causation: string | null
  readonly correlation: string | null
  readonly digest: string
}

const maxInputs = 256
/** Room for what a caller may name (200), and for the session and the verb before it. */
const idPattern = /^[\x20-\x7e]{1,400}$/

/** Refuse what could not be stored, before anything is looked up. */
export function checkSubmission(submission: Submission): void {
  const { inputs, command, effect, timer, actor, correlation } = submission
  if (inputs.length === 0) throw new BadSubmission("it has no inputs")
  if (inputs.length > maxInputs) throw new LimitExceeded("inputs in one submission", maxInputs)
  const reasons = [command, effect, timer].filter(reason => reason !== undefined)
  if (reasons.length > 1) throw new BadSubmission("it names more than one of command, effect and timer")
  if (!actors.includes(actor)) throw new BadSubmission("its actor is not one of user, host, agent")
  for (const id of [command?.id, correlation, timer?.id])
    if (id !== undefined && !idPattern.test(id))
      throw new BadSubmission("an id is empty, too long or not ASCII")
}

export function resolveRoot(tables: Tables, submission: Submission, digest: string): Root | null {
  const { stream, command, effect, timer, actor } = submission
  const root = (cause: Cause | null, causation: string | null, inherited: string | null): Root => ({
    actor,
    cause,
    causation,
    correlation: submission.correlation ?? inherited,
    digest,
  })
  if (command !== undefined) return root("command", command.id, command.id)
  if (effect !== undefined) {
    const row = tables.outbox.find(effect)
    if (row !== undefined && row.stream !== stream)
      throw new BadSubmission("the effect was asked for by another stream")
    return row === undefined ? null : root("effect", effect, row.correlation)
  }
  if (timer !== undefined) {
    const row = tables.timers.find(stream, timer.id, timer.generation)
    return row === undefined ? null : root("timer", timerCause(timer.id, timer.generation), row.correlation)
  }
  return root(null, null, null)
}
