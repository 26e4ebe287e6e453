/** What can be tried again is, from 50 ms to 5 s later, for as long as the host lives: errors and defects alike. */
import { Effect, Schedule } from "effect"

export const patience = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("5 seconds")])

/** `words` is what each failed try is told with; an error that `isFinal` ends it. */
export const triedAgain =
  (words: string, isFinal: (error: unknown) => boolean = () => false) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.tapCause(cause => Effect.logWarning(words, cause)),
      Effect.catchDefect(defect => Effect.fail(defect)),
      Effect.retry({ schedule: patience, while: error => !isFinal(error) }),
    )
