/**
 * The demo's story, in order. It only arranges: each part acts in a file of its own, and what is claimed at the end
 * is judged in `judge.ts`.
 */
import { withReading } from "../reading.ts"
import { watchAlone } from "./alone.ts"
import type { Checks } from "./checks.ts"
import { firstHost } from "./first-host.ts"
import { type Judgement, judge } from "./judge.ts"
import type { Place } from "./place.ts"
import { secondHost, type Voice } from "./second-host.ts"

const prompts = [
  "Leave a note that the host may die at any time.",
  "And now: what did I ask you before?",
] as const

export async function demo(place: Place, checks: Checks, voice: Voice): Promise<Judgement> {
  voice.title("A session begins, in a host of its own")
  const seen = await firstHost(place, prompts[0], voice.say)
  voice.title(`That host (process ${seen.pid}) was just killed with SIGKILL; its agent goes on`)
  const alone = await watchAlone(place, seen)
  const before = await withReading(place.home, ({ store }) => store.lastPosition())
  voice.title(`${alone.later - alone.atDeath} more bytes came while no host lived. A new host opens`)
  const rest = await secondHost(place, seen, prompts[1], voice)
  voice.title("What was claimed, and what was found")
  return judge({ place, prompts, seen, alone, before, rest }, checks)
}
