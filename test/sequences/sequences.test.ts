/**
 * Random sequences of prompts, interrupts, deaths of the host and everything else that a program can ask for, with
 * real hosts and real agents. HOLDFAST_SEQUENCES is their number, HOLDFAST_SEQUENCES_SEED the seed, and
 * HOLDFAST_SEQUENCE one script, as a failure prints it, to be played alone.
 */
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { everyTrouble, met, type Trouble } from "./judge/met.ts"
import { scripts } from "./support/arbitrary.ts"
import { play } from "./support/play.ts"
import { Programs } from "./support/programs.ts"
import { readable, type Script, script } from "./support/script.ts"

const count = Number(process.env.HOLDFAST_SEQUENCES ?? 200)
/** A fixed one, so that a red run says something about a change and not about luck; `random` goes searching. */
const given = process.env.HOLDFAST_SEQUENCES_SEED ?? "1372780997"
const seed = given === "random" ? Math.floor(Math.random() * 2 ** 31) : Number(given)
const alone = process.env.HOLDFAST_SEQUENCE
/** Side by side, because a sequence waits more than it computes. */
const shards = 3
/** From so many on they should have met everything. */
const enough = 100
/** Three times what they take on a busy machine: a failure is shrunk meanwhile by playing smaller sequences. */
const patienceMs = 12 * 60_000

let programs: Programs
const troubles = new Set<Trouble>()
beforeAll(async () => {
  programs = await Programs.bundle()
})
afterAll(() => programs?.remove())

async function holds(steps: Script): Promise<void> {
  const { evidence, violations, story } = await play(steps, programs)
  for (const trouble of met(evidence)) troubles.add(trouble)
  if (violations.length === 0) return
  const broken = violations.map(({ breaks, says }) => `${breaks}: ${says}`)
  throw new Error([...broken, story].join("\n"))
}

describe.runIf(alone === undefined)("I1 I3 I4 I5 I7 I8 I9 I10 I12 whatever is done to a host", () => {
  for (let shard = 0; shard < shards; shard += 1) {
    const own = { seed: seed + shard, numRuns: Math.ceil(count / shards) }
    it.concurrent(`hold in ${own.numRuns} sequences, seed ${own.seed}`, { timeout: patienceMs }, async () => {
      const found = await fc.check(fc.asyncProperty(scripts, holds), own)
      const [smallest] = found.counterexample ?? []
      const why = found.errorInstance instanceof Error ? found.errorInstance.message : ""
      const told = smallest === undefined ? "" : `${readable(smallest)}\n${why}`
      expect(found.failed, `seed ${found.seed}, path ${found.counterexamplePath}\n${told}`).toBe(false)
      expect(found.numRuns).toBe(own.numRuns)
    })
  }
})

describe.runIf(alone === undefined && count >= enough)("the sequences", () => {
  it("met every trouble that they are about", () => {
    expect([...troubles].toSorted()).toEqual([...everyTrouble].toSorted())
  })
})

it.runIf(alone !== undefined)("one sequence", { timeout: patienceMs }, async () => {
  await holds(script.parse(JSON.parse(alone ?? "[]")))
})
