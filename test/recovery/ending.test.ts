/** Ending a run, by a host that did not start it, or by one that is killed while it does. */
import { describe, expect } from "vitest"
import type { Step } from "../../adapters/rehearsal/index.ts"
import {
  after,
  answersThen,
  before,
  endsWith,
  gate,
  turn as playing,
  twoHalves,
} from "./support/scenarios.ts"
import { endProcess, it, type World } from "./support/world.ts"

const whole = { outcome: "succeeded", text: before + after }
const deaf = ["SIGINT", "SIGTERM", "SIGHUP"] as const
const sleeps = "sleep 300"

/** Says its half with these around it, and waits. */
const surroundedBy = (...steps: readonly Step[]) =>
  playing({ do: "init" }, { do: "user" }, ...steps, { do: "text", text: before }, ...gate("middle"), {
    do: "result",
  })

describe("I9 I11 an interrupt by the next host ends", () => {
  for (const [what, steps] of [
    ["an agent that takes no notice of signals", [{ do: "ignoreSignals", signals: deaf }]],
    ["a child that takes no notice", [{ do: "spawn", command: sleeps, ignoreSignals: deaf }]],
    ["a tool that escaped into a session of its own", [{ do: "spawn", command: sleeps, detached: true }]],
    [
      "one that escaped and takes no notice",
      [{ do: "spawn", command: sleeps, detached: true, ignoreSignals: deaf }],
    ],
  ] as const satisfies readonly (readonly [string, readonly Step[]])[]) {
    it(`${what}, before the turn is over`, async ({ world }) => {
      const first = world.first(surroundedBy(...steps))
      await world.reached("middle")
      await first.kill()
      const turn = (await world.open()).turn(world.evidence.turn().turn)
      await turn.interrupt()
      expect(world.alive()).toEqual([])
      expect(await turn.result).toMatchObject({ outcome: "interrupted", text: before })
    })
  }

  it("and names what it may not signal: one that escaped without our mark", async ({ world }) => {
    const first = world.first(
      surroundedBy({ do: "spawn", command: sleeps, detached: true, dropMarker: true }),
    )
    await world.reached("middle")
    await first.kill()
    const turn = (await world.open()).turn(world.evidence.turn().turn)
    await turn.interrupt()
    const [escaped] = world.evidence.notes("spawned").map(note => note.child)
    const settled: unknown[] = []
    for await (const event of turn.events()) if (event.type === "turn.settled") settled.push(event.left)
    expect(settled).toEqual([expect.arrayContaining([escaped])])
    for (const pid of world.alive()) endProcess(pid)
  })
})

describe("a host killed while it ends a run", () => {
  for (const [what, point] of [
    ["before it had done anything", { when: "after", event: "run.interrupt" }],
    ["when all was dead and the log did not know", { when: "before", event: "run.ended" }],
    ["when the log knew", { when: "after", event: "run.ended" }],
  ] as const) {
    it(`${what}: the next one ends it, once`, async ({ world }) => {
      const first = world.first(endsWith({ do: "result" }), { points: [{ act: "kill", ...point }] })
      await world.reached("middle")
      await world.evidence.untilLogged("run.spoke")
      first.order({ type: "interrupt" })
      await first.died()
      const host = await world.open()
      const result = await host.turn(world.evidence.turn().turn).result
      expect(result).toMatchObject({ outcome: "interrupted", text: before })
      expect(world.alive()).toEqual([])
      expectOneSignal(world)
    })
  }

  it("I10 after a result: the next one ends what lingers, and the answer stays", async ({ world }) => {
    const scenario = answersThen({ do: "hang" })
    const first = world.first(scenario, { points: [{ act: "kill", when: "after", event: "run.resultSeen" }] })
    world.pass("middle")
    await first.died()
    const host = await world.open()
    expect(await host.turn(world.evidence.turn().turn).result).toMatchObject(whole)
    expect(world.alive()).toEqual([])
  })
})

describe("an orderly end of a host", () => {
  it("I9 interrupts what runs, and nothing is left when it is closed", async ({ world }) => {
    const first = world.first(twoHalves)
    await world.reached("middle")
    await first.obey({ type: "close", leave: false })
    expect(world.alive()).toEqual([])
    expect(world.evidence.turn()).toMatchObject({ outcome: "interrupted" })
  })

  it("I10 or leaves it to the next host, which adopts it", async ({ world }) => {
    const first = world.first(twoHalves)
    await world.reached("middle")
    await first.obey({ type: "close", leave: true })
    expect(world.evidence.turn()).toMatchObject({ outcome: null })
    const host = await world.open()
    world.pass("middle")
    expect(await host.turn(world.evidence.turn().turn).result).toMatchObject(whole)
    expect(world.evidence.notes("signal")).toEqual([])
  })
})

function expectOneSignal(world: World): void {
  expect(world.evidence.notes("signal").map(note => note.name)).toEqual(["SIGINT"])
}
