/** The host is killed in the middle of a turn of the real codex; codex goes on, and the next host takes the turn over. */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { all, ofType, type Seen, streamed, until } from "../cases/harness.ts"
import { type DoomedHost, session, startHost } from "./host-orders.ts"
import { calls, type Decision, says } from "./model/decision.ts"
import { Gate } from "./model/gate.ts"
import { it, type PeerPlace } from "./place.ts"

const prompt = "a question whose host will die"
const whole = "The first half.\n\nThe second half."

/** Two messages with a gate between them: codex has printed the first one when the host dies. */
const inHalves = (gate: Gate): Decision => ({
  kind: "answer",
  parts: [
    { kind: "text", pieces: ["The first half."] },
    { kind: "wait", gate },
    { kind: "text", pieces: ["The second half."] },
  ],
})

/** A new host reads the turn to its end: behind what the dead one's reader got, and once more from the start. */
async function takeOver(place: PeerPlace, dead: DoomedHost) {
  const host = await place.host()
  const [turn] = host.session(session).turns()
  if (turn === undefined) throw new Error("the turn is lost")
  const last = dead.read.at(-1)?.at
  const taken = host.turn(turn.turn)
  const [rest, again] = await Promise.all([all(taken, last), all(taken)])
  return { result: await place.result(taken), seen: [...dead.read, ...rest], again }
}

/** One reader across two hosts and one that comes late see the same, in order, without a gap or a repetition. */
function expectWhole(seen: readonly Seen[], again: readonly Seen[]): void {
  expect(seen.map(event => event.at)).toEqual([...new Set(seen.map(event => event.at))])
  expect(seen).toEqual(again)
  expect(ofType(seen, "turn.settled")).toHaveLength(1)
}

/** A host that was killed when half of the answer was told; the gate holds back the other half. */
async function killedInTheMiddle(place: PeerPlace) {
  const gate = new Gate()
  place.model.decides(inHalves(gate))
  const first = startHost(place, prompt)
  await first.untilRead("the first half", event => event.type === "text.delta")
  await first.kill()
  return { first, gate }
}

describe("a host that is killed", () => {
  it("in the middle of an answer: the turn is adopted and succeeds, and the model is asked once", async ({
    place,
  }) => {
    const { first, gate } = await killedInTheMiddle(place)
    const codex = place.running("codex exec")
    expect(codex).toHaveLength(1)

    const adopting = takeOver(place, first)
    await until(() => place.log().some(event => event.machine === "run" && event.type === "found"))
    expect(place.running("codex exec")).toEqual(codex)
    gate.open()
    const { result, seen, again } = await adopting
    expect(result).toMatchObject({ outcome: "succeeded", text: whole, left: [], historyLost: false })
    expect(streamed(seen)).toBe(whole)
    expect(ofType(seen, "run.adopted")).toHaveLength(1)
    expectWhole(seen, again)
    expect(place.model.asked).toHaveLength(1)
    expect(place.heard(prompt)).toBe(1)
  })

  it("and the answer is done before anyone comes: it is delivered, and nobody is asked again", async ({
    place,
  }) => {
    const { first, gate } = await killedInTheMiddle(place)
    gate.open()
    await place.untilDead()

    const { result, seen, again } = await takeOver(place, first)
    expect(result).toMatchObject({ outcome: "succeeded", text: whole, left: [] })
    expect(streamed(seen)).toBe(whole)
    expectWhole(seen, again)
    expect(place.model.asked).toHaveLength(1)
  })

  it("during a tool: the tool goes on, runs once, and its result is the next host's", async ({ place }) => {
    const go = join(place.cwd, "go")
    const cmd = `echo ran >> runs.txt; until [ -e go ]; do sleep 0.05; done; wc -l < runs.txt`
    place.model.decides(calls("exec_command", { cmd, yield_time_ms: 30_000 }), says("The tool has run."))
    const first = startHost(place, prompt)
    await first.untilRead("the tool", event => event.type === "tool.started")
    await until(() => existsSync(join(place.cwd, "runs.txt")))
    await first.kill()

    const adopting = takeOver(place, first)
    await until(() => place.log().some(event => event.machine === "run" && event.type === "found"))
    writeFileSync(go, "")
    const { result, seen, again } = await adopting
    expect(result).toMatchObject({ outcome: "succeeded", text: "The tool has run.", left: [] })
    expect(ofType(seen, "tool.completed")).toMatchObject([{ status: "ok", output: { output: "1\n" } }])
    expectWhole(seen, again)
    expect(place.heard(prompt)).toBe(2)
    expect(place.model.asked).toHaveLength(2)
  })
})
