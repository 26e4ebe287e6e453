/** Waiting for the moment at which a host is killed. A moment that cannot come any more has come. */
import { until } from "../../recovery/support/until.ts"
import type { Around } from "./drive.ts"
import type { StepOf } from "./script.ts"

export async function reached({ at, nth }: StepOf<"kill">, around: Around): Promise<void> {
  const { place, hosts, drive } = around
  if (at === "now") return
  // Chooses a moment; nothing depends on which one it was.
  if (at === "delay") return new Promise(resolve => setTimeout(resolve, nth))
  const told = hosts.told.length
  const noted = (event: "started" | "remembered", turn: string) =>
    place.journal().some(note => note.event === event && note.run?.startsWith(`${turn}.`))
  const deltas = (session: string, turn: string) =>
    hosts.heard[session]?.filter(event => event.type === "text.delta" && event.turn === turn).length ?? 0

  await until(`the moment "${at}" has come`, () => {
    const running = place.sessions().filter(row => row.currentTurn !== null)
    const ending = running.filter(row => !drive.isEndless(row.currentTurn ?? ""))
    if (!hosts.isOpen || running.length === 0) return true
    switch (at) {
      case "spawned":
        return running.some(row => noted("started", row.currentTurn ?? ""))
      case "delta":
        return running.some(row => deltas(row.session, row.currentTurn ?? "") > nth)
      case "result":
        return ending.length === 0 || ending.some(row => noted("remembered", row.currentTurn ?? ""))
      case "settled":
        return ending.length === 0 || hosts.told.length > told
    }
  })
}
