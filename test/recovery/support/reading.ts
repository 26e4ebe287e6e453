/** Reading a turn, and comparing what several readers got: no gap, no repetition, wherever it was cut (I7). */
import { expect } from "vitest"
import type { Turn } from "../../../adapters/library/index.ts"
import type { Seen } from "./child.ts"

/** To its end, behind a cursor. */
export async function readOn(turn: Turn, after?: string): Promise<readonly Seen[]> {
  const events: Seen[] = []
  for await (const event of turn.events(after === undefined ? {} : { after })) events.push(event)
  return events
}

/** Everything that was streamed, in one piece. */
export function said(events: readonly Seen[]): string {
  return events.map(event => (event.type === "text.delta" ? event.text : "")).join("")
}

/** What readers got before and after their host died is what one reader gets who saw it all. */
export async function expectSeamless(turn: Turn, before: readonly Seen[], text: string): Promise<void> {
  const rest = await readOn(turn, before.at(-1)?.at)
  const whole = await readOn(turn)
  expect([...before, ...rest]).toEqual(whole)
  expect(said(whole)).toBe(text)
  expect(whole.filter(event => event.type === "turn.settled")).toHaveLength(1)
}
