/** Looking at the agent while no host lives: it has to be seen writing before the next host may open. */
import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Seen } from "./first-host.ts"
import type { Place } from "./place.ts"

const pollMs = 20
const mostPolls = 1_000

export interface Alone {
  /** Bytes that the agent had written when its host was dead, and a while later. */
  readonly atDeath: number
  readonly later: number
}

/** Both are equal only when the agent says nothing more for a long while. */
export async function watchAlone({ home, gates }: Place, { run }: Seen): Promise<Alone> {
  const size = () => statSync(join(home, "runs", run, "stdout")).size
  const atDeath = size()
  writeFileSync(gates.hostIsDead, "")
  for (let left = mostPolls; left > 0 && size() === atDeath; left -= 1) await sleep(pollMs)
  return { atDeath, later: size() }
}
