/**
 * Ctrl-C and SIGTERM: the first one asks, the second one does not wait. What asking and not waiting mean is the
 * verb's; here is only the counting.
 */
import { exitCodes } from "./exit-codes.ts"

export interface Interrupts {
  /** From now on the first one does this; at once, if it has come already. */
  readonly ask: (first: () => void) => void
  /** Before the process ends because of the second one. It has one chance, and may not fail. */
  readonly beforeLeaving: (last: () => Promise<void>) => void
  readonly stop: () => void
}

const signals = ["SIGINT", "SIGTERM"] as const

export function listenForInterrupts(): Interrupts {
  let count = 0
  let first: (() => void) | null = null
  let last: (() => Promise<void>) | null = null
  const take = () => {
    count += 1
    if (count === 1) return first?.()
    if (count > 2) process.exit(exitCodes.interrupted)
    void (last?.() ?? Promise.resolve()).finally(() => process.exit(exitCodes.interrupted))
  }
  for (const signal of signals) process.on(signal, take)
  return {
    ask(action) {
      first = action
      if (count > 0) action()
    },
    beforeLeaving(action) {
      last = action
    },
    stop() {
      for (const signal of signals) process.off(signal, take)
    },
  }
}
