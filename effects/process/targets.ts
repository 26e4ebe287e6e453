/**
 * The memory of one ending: who was seen, who was hit by what, who is still there. It grows only by looking
 * again, and hits a process only through `signals.ts`. No waiting happens here.
 */
import type { ProcessIdentity } from "../../machines/words.ts"
import { type Descendant, descendantsOf } from "./descendants.ts"
import { judgeIdentity, sameProcess } from "./identity.ts"
import { type EndingSignal, runMark, signalVerified } from "./signals.ts"
import { commandLine } from "./table.ts"

export interface TargetsOf {
  readonly run: string
  readonly launcher: ProcessIdentity | null
  readonly agent: ProcessIdentity | null
  readonly spare?: (commandLine: string) => boolean
}

export class Targets {
  readonly #of: TargetsOf
  /** By pid and start: once recorded, never forgotten, also when its parent is gone. */
  readonly #known = new Map<string, Descendant>()
  readonly #struck = new Set<string>()

  constructor(of: TargetsOf) {
    this.#of = of
    if (of.agent !== null) this.#record({ identity: of.agent, evidence: "descent", crew: false })
  }

  /** Looks again, for those born since. */
  collect(): void {
    const { run, launcher, agent } = this.#of
    const members = this.living().map(each => each.identity)
    for (const found of descendantsOf(run, launcher, { agent, members })) {
      if (this.#of.spare?.(commandLine(found.identity.pid)) !== true) this.#record(found)
    }
  }

  /** Live ones that may be signalled, without the launcher and its crew. */
  living(): readonly Descendant[] {
    return this.#alive().filter(each => each.evidence !== "descent" && !each.crew)
  }

  /** Each of these once per signal, however often it is called. */
  strike(signal: EndingSignal, whom: readonly Descendant[] = this.living()): void {
    for (const { identity, evidence } of whom) {
      const blow = `${key(identity)} ${signal}`
      if (this.#struck.has(blow)) continue
      // Nobody joins a session from outside: who was a member once is ours for as long as it is the same process.
      const marker = evidence === "marked" ? runMark(this.#of.run) : null
      if (signalVerified(identity, signal, { marker }) === "sent") this.#struck.add(blow)
    }
  }

  /** The last means, when everybody else is gone and the launcher is not. */
  killLauncher(): void {
    const { launcher, run } = this.#of
    if (launcher !== null) signalVerified(launcher, "SIGKILL", { marker: runMark(run) })
  }

  launcherGone(): boolean {
    return this.#of.launcher === null || judgeIdentity(this.#of.launcher) !== "alive"
  }

  /** Everything that may still run, those that are not ours to judge included. */
  left(): readonly ProcessIdentity[] {
    const { launcher } = this.#of
    const others = [...this.#known.values()].map(each => each.identity)
    const all =
      launcher === null ? others : [...others.filter(each => !sameProcess(each, launcher)), launcher]
    return all.filter(each => judgeIdentity(each) !== "dead")
  }

  #alive(): readonly Descendant[] {
    return [...this.#known.values()].filter(each => judgeIdentity(each.identity) === "alive")
  }

  #record(found: Descendant): void {
    const before = this.#known.get(key(found.identity))
    // While a process replaces its program its environment is empty: what was seen before still holds.
    const evidence = found.evidence === "descent" ? (before?.evidence ?? "descent") : found.evidence
    this.#known.set(key(found.identity), { ...found, evidence })
  }
}

function key({ pid, start }: ProcessIdentity): string {
  return `${pid} ${start}`
}
