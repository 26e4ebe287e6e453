/** A program of somebody who installed the package: something of every export, for the compiler to look at. */
import { Holdfast, type Host, openHost, type Turn, type TurnResult } from "holdfast"
import { codex, cursor, rehearsal } from "holdfast/agents"
import { type Failure, failureKind } from "holdfast/machines"
import { openStore, type Reader } from "holdfast/store"
import { findScenario, readJournal, type Scenario } from "holdfast/testing"

export const agents = [cursor({ model: "auto" }), codex({ sandbox: "read-only" }), rehearsal({ pace: 0 })]
export const layer = Holdfast.layer({ agents })

export async function outcomeOf(prompt: string): Promise<TurnResult["outcome"]> {
  const host: Host = await openHost({ agents })
  const turn: Turn = (await host.launch({ cwd: "." })).send(prompt)
  for await (const event of turn.events()) if (event.type === "text.final") console.log(event.text.length)
  const { outcome } = await turn.result
  await host.close()
  return outcome
}

export const isKind = (failure: Failure): boolean => failureKind.safeParse(failure.kind).success
export const readerOf = (...[options]: Parameters<typeof openStore>): Reader => openStore(options)
export const demo: Scenario | null = findScenario("demo")
export const pids = (journal: string): readonly number[] => readJournal(journal).map(({ pid }) => pid)
