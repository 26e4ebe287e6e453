/**
 * The demo's second host: this process. It takes over what the first one left, hands out the rest of the reply
 * behind the reader's cursor, and then gives the session its next turn.
 */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rehearsal } from "../../agents/index.ts"
import { openHost } from "../../library/host.ts"
import type { Turn, TurnResult } from "../../library/turn.ts"
import type { Told } from "../show/view.ts"
import type { Seen } from "./first-host.ts"
import { type Place, pace } from "./place.ts"

export interface Rest {
  /** What the reader got from the second host, behind its cursor. */
  readonly events: readonly Told[]
  /** Everything of the turn, read again from its beginning. */
  readonly again: readonly Told[]
  readonly result: TurnResult
  readonly spoolSha256: string
  readonly second: { readonly events: readonly Told[]; readonly result: TurnResult }
}

export interface Voice {
  readonly say: (text: string) => void
  readonly title: (text: string) => void
}

export async function secondHost(place: Place, seen: Seen, prompt: string, voice: Voice): Promise<Rest> {
  const { scenario, journal, home, gates } = place
  await using host = await openHost({ home, agents: [rehearsal({ scenario, journal, pace })] })
  writeFileSync(gates.newHostIsHere, "")
  const session = host.session(seen.session)
  const turn = session.turn(seen.turn)
  const events = await told(turn, voice, seen.at)
  const result = await turn.result
  const again = await told(turn, null)
  const spool = readFileSync(join(home, "runs", seen.run, "stdout"))

  voice.title("A second turn, which goes on with the same conversation")
  const next = session.send(prompt)
  const second = { events: await told(next, voice), result: await next.result }
  return { events, again, result, second, spoolSha256: createHash("sha256").update(spool).digest("hex") }
}

async function told(turn: Turn, voice: Voice | null, after?: string): Promise<readonly Told[]> {
  const events: Told[] = []
  for await (const event of turn.events(after === undefined ? {} : { after })) {
    events.push(event)
    if (event.type === "text.delta") voice?.say(event.text)
  }
  return events
}

export const replyOf = (events: readonly Told[]): readonly string[] =>
  events.flatMap(event => (event.type === "text.delta" ? [event.text] : []))

export const finalOf = (events: readonly Told[]): string | null =>
  events.find(event => event.type === "text.final")?.text ?? null
