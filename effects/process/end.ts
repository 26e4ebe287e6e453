/**
 * Ending the processes of a run, bounded, and telling what is left. The launcher comes last, so that `exit`
 * gets written. It decides nothing about the turn, and it signals only through `signals.ts`.
 */
import { Context, Effect, Layer } from "effect"
import type { ProcessIdentity } from "../../machines/words.ts"
import { type Descendant, descendantsOf, type Known } from "./descendants.ts"
import { type EndingSignal, type Sent, signalVerified } from "./signals.ts"
import { Targets } from "./targets.ts"

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
    readonly descendantsOf: (
      run: string,
      launcher: ProcessIdentity | null,
      known?: Known,
    ) => readonly Descendant[]
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
  const targets = new Targets(request)
  const polls = (ms: number) => Math.max(1, Math.ceil(ms / pollMs))
  const pollMs = request.pollMs ?? 20
  const ladder = request.ladder ?? defaultLadder

  /** Until nobody is left or the grace is over; those born in between get the same signal. */
  const rung = Effect.fnUntraced(function* ({ signal, graceMs }: Rung) {
    for (let left = polls(graceMs); left > 0; left -= 1) {
      targets.strike(signal)
      yield* Effect.sleep(pollMs)
      if (targets.living().length > 0) continue
      // Twice: a process can fork and exit while the table is being read.
      targets.collect()
      targets.collect()
      if (targets.living().length === 0) return
    }
    targets.collect()
  })

  // Before the first signal: who loses its parent by it would be found by its mark only.
  targets.collect()
  for (const step of ladder) {
    if (targets.living().length > 0) yield* rung(step)
  }
  // With somebody left the launcher is still needed, to write `exit` one day.
  if (targets.living().length > 0) return { left: targets.left() }
  for (let left = polls(request.launcherGraceMs ?? 5_000); left > 0 && !targets.launcherGone(); left -= 1) {
    yield* Effect.sleep(pollMs)
  }
  if (!targets.launcherGone()) targets.killLauncher()
  // Its watchdog, if it could not end that itself.
  targets.collect()
  yield* rung({ signal: "SIGKILL", graceMs: ladder.at(-1)?.graceMs ?? 1_000 })
  return { left: targets.left() }
})
