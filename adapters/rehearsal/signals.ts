/**
 * How the CLI takes a signal: SIGINT says goodbye and exits with 130, SIGTERM and SIGHUP exit in silence. A scenario
 * may tell it to take no notice. Each one is in the journal before anything else happens.
 */
import type { Children } from "./children.ts"
import type { Journal } from "./journal.ts"
import type { Output } from "./output.ts"
import { aborting } from "./refusals.ts"
import type { SignalName } from "./scenario.ts"

export interface Signals {
  ignore(names: readonly SignalName[]): void
  /** Sends one to this very process. Comes back only if it was ignored. */
  raise(name: SignalName): Promise<void>
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
type Caught = keyof typeof exitCodes
const caught = Object.keys(exitCodes) as Caught[]
const isCaught = (name: string): name is Caught => name in exitCodes

export const listenForSignals = (
  journal: Journal,
  out: Output,
  children: Children,
  leave: (code: number) => never,
): Signals => {
  const ignored = new Set<string>()
  const take = (name: Caught): void => {
    out.account()
    journal.note({ event: "signal", name, ignored: ignored.has(name) })
    if (ignored.has(name)) return
    children.endShells()
    if (name === "SIGINT") out.complain(aborting)
    leave(exitCodes[name])
  }
  for (const name of caught) process.on(name, () => take(name))
  return {
    ignore: names => {
      for (const name of names) ignored.add(name)
    },
    raise: name =>
      new Promise(resolve => {
        if (isCaught(name)) {
          if (ignored.has(name)) process.once(name, () => resolve())
        } else {
          // Nothing of ours will run when it arrives.
          out.account()
          journal.note({ event: "signal", name, ignored: false })
        }
        process.kill(process.pid, name)
      }),
  }
}
