/** An interrupt while the real codex works: nothing of it is left in the process table when the turn is over. */
import { describe, expect } from "vitest"
import { ofType, untilSeen } from "../cases/harness.ts"
import { calls, says } from "./model/decision.ts"
import { Gate } from "./model/gate.ts"
import { it } from "./place.ts"
import { expectGone } from "./processes.ts"

describe("an interrupt during a slow tool", () => {
  const tools: readonly ["workspace-write" | "danger-full-access", string, number][] = [
    ["workspace-write", "sleep 3600", 1],
    ["danger-full-access", "sleep 3600", 1],
    // One is in a session of its own, where neither codex nor its group reaches it.
    ["danger-full-access", "setsid sleep 3600 & sleep 3600", 2],
  ]
  for (const [sandbox, cmd, count] of tools)
    it(`leaves nothing alive: ${sandbox}, ${cmd}`, async ({ place }) => {
      place.model.decides(calls("exec_command", { cmd }))
      const session = await place.session({ sandbox })
      const turn = place.send(session, "take your time")
      await untilSeen(turn, event => event.type === "tool.started")
      const sleeping = await place.started("sleep 3600", count)
      await turn.interrupt()
      expect(place.alive()).toEqual([])
      expectGone(sleeping)
      expect(await place.result(turn)).toMatchObject({ outcome: "interrupted", failure: null, left: [] })
    })
})

describe("an interrupt in the middle of an answer", () => {
  it("keeps what was said, and the conversation goes on from there", async ({ place }) => {
    const gate = new Gate()
    place.model.decides(
      {
        kind: "answer",
        parts: [
          { kind: "text", pieces: ["So far."] },
          { kind: "wait", gate },
          { kind: "text", pieces: ["Never said."] },
        ],
      },
      says("Go on."),
    )
    const session = await place.session()
    const turn = place.send(session, "tell me a long story")
    await untilSeen(turn, event => event.type === "text.delta")
    await turn.interrupt()
    expect(place.alive()).toEqual([])
    expect(await place.result(turn)).toMatchObject({ outcome: "interrupted", text: "So far.", left: [] })

    const next = await place.say(session, "what was it about?")
    expect(next.result).toMatchObject({ outcome: "succeeded", text: "Go on.", historyLost: false })
    expect(ofType(next.events, "run.started")[0]?.resumes).not.toBeNull()
    const said = place.model.asked.at(-1)?.said.map(({ text }) => text)
    expect(said).toEqual(expect.arrayContaining(["tell me a long story", "So far.", "what was it about?"]))
  })
})

describe("a process that outlives its turn", () => {
  it("is ended with it, although codex itself lets it go", async ({ place }) => {
    const gate = new Gate()
    place.model.decides(
      calls("exec_command", { cmd: "setsid nohup sleep 3600 > /dev/null 2>&1 & echo started" }),
      says("It ", gate, "runs."),
    )
    const session = await place.session({ sandbox: "danger-full-access" })
    const turn = place.send(session, "start a server")
    const left = await place.started("sleep 3600", 1)
    gate.open()
    expect(await place.result(turn)).toMatchObject({ outcome: "succeeded", text: "It runs.", left: [] })
    expectGone(left)
  })
})
