/** The judge can say no: one real sequence breaks nothing, and each fault planted in its evidence is found. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { faultsOfAnswers } from "./faults/answers.ts"
import { type Cast, castOf } from "./faults/plant.ts"
import { faultsOfRuns } from "./faults/runs.ts"
import { faultsOfTurns } from "./faults/turns.ts"
import { judge, type Promised, promises } from "./judge/judge.ts"
import type { Evidence } from "./support/evidence.ts"
import { play } from "./support/play.ts"
import { Programs } from "./support/programs.ts"
import type { Script } from "./support/script.ts"

/** In the order of the cast. */
const sequence: Script = [
  { do: "send", session: 0, plays: "slow", named: true },
  { do: "kill", at: "delta", nth: 2, all: false },
  { do: "send", session: 0, plays: "tool", named: true },
  { do: "rest" },
  { do: "again", nth: 0, other: false },
  { do: "again", nth: 0, other: true },
  { do: "send", session: 0, plays: "deaf", named: false },
  { do: "send", session: 0, plays: "quick", named: false },
  { do: "interrupt", session: 0, which: "waiting", afterMs: 0, wait: true },
  { do: "kill", at: "delta", nth: 4, all: false },
  { do: "interrupt", session: 0, which: "current", afterMs: 0, wait: true },
  { do: "send", session: 0, plays: "flaky", named: false },
  { do: "send", session: 1, plays: "quick", named: false },
  { do: "rest" },
  { do: "erase", session: 1 },
]

const faults = { ...faultsOfTurns, ...faultsOfRuns, ...faultsOfAnswers }
let evidence: Evidence
let cast: Cast
let programs: Programs

beforeAll(async () => {
  programs = await Programs.bundle()
  const played = await play(sequence, programs)
  expect(played.violations).toEqual([])
  evidence = played.evidence
  cast = castOf(evidence)
})
afterAll(() => programs?.remove())

describe("the judge", () => {
  it("knows the sequence as it was played", () => {
    const outcome = (turn: string) => evidence.ended.find(one => one.turn === turn)?.outcome
    expect(outcome(cast.answered)).toBe("succeeded")
    expect(outcome(cast.next)).toBe("succeeded")
    expect(outcome(cast.interrupted)).toBe("interrupted")
    expect(outcome(cast.cancelled)).toBe("interrupted")
    expect(outcome(cast.retried)).toBe("failed")
    expect(evidence.journal.some(note => note.run === `${cast.retried}.2`)).toBe(true)
    expect(evidence.journal.some(note => note.run?.startsWith(cast.cancelled))).toBe(false)
  })

  for (const [name, { breaks, plant }] of Object.entries(faults))
    it(`${breaks} finds that ${name}`, () => {
      const found = judge(plant(evidence, cast))
      expect(found.map(one => one.breaks)).toContain(breaks)
      expect(new Set(found.map(one => one.breaks))).toEqual(new Set([breaks]))
    })

  it("has a fault for everything that it judges", () => {
    const planted = new Set<Promised>(Object.values(faults).map(fault => fault.breaks))
    expect([...planted].toSorted()).toEqual([...promises].toSorted())
  })
})
