/**
 * What must hold in every world at every moment, whatever happened. Each function throws, naming the
 * invariant. They look at snapshots and at what was told, never at how a machine is made.
 */
import { expect } from "vitest"
import { definitions, machineOf, replay, streamOf } from "../../machines/index.ts"
import { theSession } from "./moves.ts"
import type { World } from "./world.ts"

const terminal: readonly string[] = ["succeeded", "failed", "interrupted", "outcomeUnknown"]
export const isTerminal = (world: World, turn: string) => terminal.includes(world.state(streamOf.turn(turn)))

/** I3: a turn's end is heard once by its session, and says what the turn's state says. */
export function oneOutcomePerTurn(world: World): void {
  const settled = world.inputsOf(theSession).filter(input => input.type === "turnSettled")
  for (const turn of world.ids("turn")) {
    const ends = settled.filter(input => input.turn === turn).map(input => input.outcome)
    expect(ends, `I3 ${turn}`).toEqual(isTerminal(world, turn) ? [world.state(streamOf.turn(turn))] : [])
  }
}

/** I12: at most one turn is on its way, it is the session's current one, and they began in order. */
export function oneTurnAtATime(world: World): void {
  const turns = world.ids("turn")
  const onTheirWay = turns.filter(
    turn => world.state(streamOf.turn(turn)) !== "queued" && !isTerminal(world, turn),
  )
  const current = world.snapshots.get(theSession)?.context.current ?? null
  expect(onTheirWay, "I12 on their way").toEqual(current === null ? [] : [current])
  const live = world.ids("run").filter(id => world.state(streamOf.run(id)) !== "closed")
  expect(live.length, "I12 live runs").toBeLessThanOrEqual(1)
  const began = world.told
    .filter(({ step }) => step.from === "queued" && step.to === "preparing")
    .map(told => told.stream)
  const inOrder = turns.map(streamOf.turn).filter(stream => began.includes(stream))
  expect(began, "I12 order").toEqual(inOrder)
}

/** I8: nothing is launched once the host has decided that it never will be; a closed run waits for nothing. */
export function nothingAfterTheEnd(world: World): void {
  for (const id of world.ids("run")) {
    const stream = streamOf.run(id)
    const asked = world.told
      .filter(told => told.stream === stream)
      .flatMap(told => told.step.effects.map(effect => effect.kind))
    const decided = asked.findIndex(kind => kind === "tombstone" || kind === "end")
    if (decided !== -1) expect(asked.slice(decided), `I8 ${id}`).not.toContain("launch")
    if (world.state(stream) === "closed")
      expect(
        [...world.timers.values()].filter(timer => timer.stream === stream),
        `timers of ${id}`,
      ).toEqual([])
  }
}

/** I1 I2: the inputs alone give every snapshot again, after any number of them. */
export function replayAgrees(world: World): void {
  for (const stream of world.snapshots.keys()) {
    const told = world.told.filter(each => each.stream === stream).map(each => each.step)
    const definition = definitions[machineOf(stream)]
    if (definition === undefined) throw new Error(`no machine for ${stream}`)
    for (let length = 1; length <= told.length; length += Math.ceil(told.length / 4)) {
      const again = replay(definition, throughJson(told.slice(0, length).map(step => step.input)))
      expect(JSON.stringify(again), stream).toBe(JSON.stringify(told.slice(0, length)))
    }
  }
}
// What JSON gives back for a value that JSON holds is a value of the same type.
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
