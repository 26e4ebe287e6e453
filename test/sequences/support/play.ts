/** One sequence from its first step to its verdict, in a place of its own that is gone afterwards. */
import { judge, type Violation } from "../judge/judge.ts"
import { Drive } from "./drive.ts"
import type { Evidence } from "./evidence.ts"
import { finish } from "./finish.ts"
import { Hosts } from "./hosts.ts"
import { Place } from "./place.ts"
import type { Programs } from "./programs.ts"
import type { Script } from "./script.ts"

export interface Played {
  readonly evidence: Evidence
  readonly violations: readonly Violation[]
  /** Log, outbox, journal, and what hosts complained about; for whoever has to find out why. */
  readonly story: string
}

/** Throws what a sequence could not go on over, with the story so far. */
export async function play(steps: Script, programs: Programs): Promise<Played> {
  const place = new Place(programs.compileCache)
  const hosts = new Hosts(programs, place)
  const drive = new Drive(place, hosts)
  // A long reply is a long list of what was written; its last word is in the spool.
  const story = () => [hosts.complaints, place.log.story().replace(/^.*"event":"wrote".*\n/gm, "")].join("\n")
  try {
    for (const step of steps) await drive.perform(step)
    const evidence = await finish({ place, hosts, drive })
    return { evidence, violations: judge(evidence), story: story() }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${story()}`, { cause: error })
  } finally {
    await hosts.kill()
    await place.clear()
  }
}
