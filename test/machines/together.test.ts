/**
 * Session, turn and run together under any valid sequence of inputs: nothing throws, the invariants hold at
 * every moment, a replay agrees, and nothing is ever stuck. No machine is looked into here.
 */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  definitions,
  type MachineDefinition,
  machineOf,
  run,
  session,
  streamOf,
  turn,
} from "../../machines/index.ts"
import { actionsAre, type Fault, guardSays } from "./faults.ts"
import { answer, fire, type Move, make, moves, theSession } from "./moves.ts"
import {
  isTerminal,
  nothingAfterTheEnd,
  oneOutcomePerTurn,
  oneTurnAtATime,
  replayAgrees,
} from "./promises.ts"
import { session as on } from "./samples/session.ts"
import { World } from "./world.ts"

type Machines = Readonly<Record<string, MachineDefinition>>
const runs = { numRuns: 150, seed: 20_261_130 }

/** For faults: what must never be asked for. */
const startAtOnce: Fault = actionsAre("busy", "send", 0, [
  {
    type: "send",
    params: ({
      context,
      event,
    }: {
      context: { about: object }
      event: { turn: string; prompt: string }
    }) => ({
      stream: streamOf.turn(event.turn),
      input: { type: "queued", ...context.about, turn: event.turn, prompt: event.prompt },
    }),
  },
  {
    type: "send",
    params: ({ event }: { event: { turn: string } }) => ({
      stream: streamOf.turn(event.turn),
      input: { type: "start", resume: null, historyLost: false },
    }),
  },
])
const relaunch: Fault = actionsAre("tombstoning", "claimLost", -1, [
  { type: "launch", params: { run: "t1.1" } },
])

function after(sequence: readonly Move[], machines: Machines, check: (world: World) => void): World {
  const world = new World(machines)
  world.tell(theSession, on.launch)
  for (const move of sequence) {
    make(world, move)
    check(world)
  }
  return world
}
const alwaysHolds = (check: (world: World) => void, machines: Machines = definitions) =>
  fc.property(moves, sequence => void after(sequence, machines, check))

describe("I3 I8 I12 whatever happens, in whatever order", () => {
  const promises: readonly (readonly [string, (world: World) => void, MachineDefinition, Fault])[] = [
    [
      "I3 every turn has one outcome, and its session hears of it once",
      oneOutcomePerTurn,
      turn,
      actionsAre("deciding", "always", 5, []),
    ],
    ["I12 one turn at a time, in order", oneTurnAtATime, session, startAtOnce],
    [
      "I8 nothing is launched after the decision not to, and no timer outlives its run",
      nothingAfterTheEnd,
      run,
      relaunch,
    ],
  ]
  for (const [title, check, definition, fault] of promises) {
    test(title, () => fc.assert(alwaysHolds(check), runs))
    test(`${title} (planted)`, () => {
      const faulty = { ...definitions, [definition.name]: fault(definition) }
      const { failed, errorInstance } = fc.check(alwaysHolds(check, faulty), { ...runs, endOnFailure: true })
      expect(failed).toBe(true)
      expect(String(errorInstance)).toContain(title.slice(0, title.indexOf(" ") + 1))
    })
  }

  test("the sequences go far: every state of every machine, and ten turns", () => {
    const seen = new Set<string>()
    fc.assert(
      alwaysHolds(world => {
        for (const [stream, { value }] of world.snapshots) seen.add(`${machineOf(stream)} ${value}`)
        if (world.ids("turn").filter(id => isTerminal(world, id)).length >= 10) seen.add("ten turns")
      }),
      runs,
    )
    const all = Object.values(definitions).flatMap(({ name, machine }) =>
      Object.keys(machine.states).map(state => `${name} ${state}`),
    )
    // `absent` is before the first input, and no snapshot rests in `deciding`.
    const rested = all.filter(state => !/ (absent|deciding)$/.test(state))
    expect([...seen]).toEqual(expect.arrayContaining([...rested, "ten turns"]))
  })
})

test("I1 I2 a replay of any prefix gives the same steps", () => {
  fc.assert(
    fc.property(moves, sequence => replayAgrees(after(sequence, definitions, () => {}))),
    { ...runs, numRuns: 60 },
  )
})

describe("no dead end", () => {
  const comesToRest = (machines: Machines) =>
    fc.property(moves, fc.nat(30), (sequence, how) => {
      const world = after(sequence, machines, () => {})
      finish(world, how)
      for (const id of world.ids("turn"))
        expect(isTerminal(world, id), `${id} is ${world.state(streamOf.turn(id))}`).toBe(true)
      expect(world.snapshots.get(theSession)?.context).toMatchObject({ current: null, queue: [] })
      oneOutcomePerTurn(world)
    })

  test("I3 from anywhere, if effects end, timers fire and blocks are lifted, every turn settles", () => {
    fc.assert(comesToRest(definitions), runs)
  })
  test("I3 from anywhere every turn settles (planted: a watchdog's answer is never enough)", () => {
    const deaf = {
      ...definitions,
      run: guardSays(
        "outOfTime",
        false,
      )(guardSays("noFirstOutput", false)(guardSays("silentTooLong", false)(run))),
    }
    expect(fc.check(comesToRest(deaf), { ...runs, endOnFailure: true }).failed).toBe(true)
  })
})

/** A host that does its part until nothing is left to do: the world comes to rest, or the bound is passed. */
function finish(world: World, how: number): void {
  for (let round = 0; round < 500; round += 1) {
    const blocked = world.ids("turn").find(id => world.state(streamOf.turn(id)) === "blocked")
    if (world.asked.length > 0) answer(world, 0, round < 100 ? how : 0)
    else if (blocked !== undefined) world.tell(streamOf.turn(blocked), { type: "unblock" })
    else if (world.timers.size > 0) fire(world, round)
    else if (["paused", "archived"].includes(world.state(theSession))) world.tell(theSession, on.resume)
    else return
  }
}
