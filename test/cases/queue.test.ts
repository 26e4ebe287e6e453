/** Field case PL-17 and what belongs to it: one turn at a time, each request once, in the order it was made. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { it, refusal, until } from "./harness.ts"

/** Waits for `holdfast-go` in the workspace, then says which turn of its chat it was. */
const gated: Scenario = {
  turns: [
    {
      steps: [
        { do: "init" },
        { do: "text", text: "Working. " },
        { do: "waitForFile", path: "$CWD/holdfast-go" },
        { do: "text", text: "Turn $TURN." },
        { do: "result" },
      ],
    },
  ],
}

describe("queue", () => {
  it("PL-17 a second prompt waits for the first turn, and resumes its conversation", async ({ place }) => {
    const host = await place.open({ scenario: gated })
    const session = await host.launch({ cwd: place.cwd })
    const first = place.send(session, "the first of the prompts")
    const second = place.send(session, "the second of the prompts")
    await second.accepted
    await until(() => place.noted("waiting").length > 0)
    expect(session.status()).toMatchObject({ state: "busy", currentTurn: first.id, queued: 1 })
    expect(place.noted("started")).toHaveLength(1)
    writeFileSync(join(place.cwd, "holdfast-go"), "")
    expect(await place.result(first)).toMatchObject({ outcome: "succeeded", text: "Working. Turn 1." })
    expect(await place.result(second)).toMatchObject({ outcome: "succeeded", text: "Working. Turn 2." })
    // The second one began only when the first was gone.
    const order = place
      .journal()
      .flatMap(entry => (["started", "exit"].includes(entry.event) ? [entry.event] : []))
    expect(order).toEqual(["started", "exit", "started", "exit"])
    expect(new Set(place.noted("claimed").map(entry => entry.session)).size).toBe(1)
  })

  it("PL-17 a conversation that somebody else holds is a failure that can be seen, and may be tried again", async ({
    place,
  }) => {
    const busy: Scenario = {
      turns: [
        {
          when: { startsUpTo: 1 },
          steps: [{ do: "init" }, { do: "text", text: "Hello." }, { do: "result" }],
        },
        {
          when: { startsUpTo: 2 },
          steps: [
            {
              do: "stderr",
              text: "Chat x may still be running: Persistent chat ownership is currently changing\n",
            },
            { do: "exit", code: 1 },
          ],
        },
        { steps: [{ do: "init" }, { do: "text", text: "Here I am." }, { do: "result" }] },
      ],
    }
    const { session } = await place.play(busy)
    const before = session.status().conversation
    const second = await place.take(session, "is anybody in there")
    expect(second.result).toMatchObject({
      outcome: "failed",
      failure: { kind: "busy", code: "CONVERSATION_BUSY", retryable: true },
    })
    expect(session.status().conversation).toBe(before)
    expect((await place.take(session, "and now, please")).result.text).toBe("Here I am.")
  })

  it("an interrupt of a turn that waits never starts it", async ({ place }) => {
    const host = await place.open({ scenario: gated })
    const session = await host.launch({ cwd: place.cwd })
    const first = place.send(session, "the one that runs")
    const second = place.send(session, "the one that never will")
    await second.interrupt()
    expect(await place.result(second)).toMatchObject({ outcome: "interrupted", text: null })
    writeFileSync(join(place.cwd, "holdfast-go"), "")
    await place.result(first)
    expect(place.noted("started")).toHaveLength(1)
    expect(place.log().filter(event => event.machine === "run" && event.type === "requested")).toHaveLength(1)
  })

  it("an interrupt in the same breath as the send leaves nothing running, and is the outcome", async ({
    place,
  }) => {
    const host = await place.open({ scenario: gated })
    const session = await host.launch({ cwd: place.cwd })
    const turn = place.send(session, "never mind after all")
    await turn.interrupt()
    expect(place.alive()).toEqual([])
    expect(await place.result(turn)).toMatchObject({ outcome: "interrupted" })
    // The session is free for the next prompt.
    writeFileSync(join(place.cwd, "holdfast-go"), "")
    expect((await place.take(session, "this one for real")).result.outcome).toBe("succeeded")
  })

  it("an interrupt of a turn that is over is refused, and changes nothing", async ({ place }) => {
    const { turn } = await place.play("st-17")
    const before = place.log().length
    expect(await refusal(() => turn.interrupt())).toMatchObject({ code: "TURN_NOT_RUNNING" })
    expect(place.log()).toHaveLength(before)
  })

  it("the same id with the same prompt is the same turn, however often and however late", async ({
    place,
  }) => {
    const host = await place.open({ scenario: "st-17" })
    const session = await host.launch({ cwd: place.cwd })
    const turns = [1, 2, 3].map(() => place.send(session, "do it exactly once", "order-42"))
    const results = await Promise.all(turns.map(turn => place.result(turn)))
    const later = place.send(session, "do it exactly once", "order-42")
    expect(await place.result(later)).toEqual(results[0])
    expect(new Set([...turns, later].map(turn => turn.id)).size).toBe(1)
    await host.close()
    const next = await place.open({ scenario: "st-17" })
    const again = place.send(next.session(session.id), "do it exactly once", "order-42")
    expect(await place.result(again)).toEqual(results[0])
    expect(place.noted("started")).toHaveLength(1)
  })

  it("the same id with another prompt is a conflict, and starts nothing", async ({ place }) => {
    const host = await place.open({ scenario: "st-17" })
    const session = await host.launch({ cwd: place.cwd })
    await place.result(place.send(session, "the first content", "order-42"))
    const before = place.log().length
    expect(await refusal(() => place.send(session, "another content", "order-42"))).toMatchObject({
      code: "COMMAND_CONFLICT",
      retryable: false,
    })
    expect(place.log()).toHaveLength(before)
    expect(place.noted("started")).toHaveLength(1)
  })

  it("a session's id that is taken is refused (RS-08), and the session is as it was", async ({ place }) => {
    const host = await place.open({ scenario: "st-17" })
    const session = await host.launch({ cwd: place.cwd, id: "mine" })
    const before = session.status()
    expect(await refusal(() => host.launch({ cwd: place.cwd, id: "mine" }))).toMatchObject({
      code: "SESSION_EXISTS",
    })
    expect(session.status()).toEqual(before)
  })

  it("a full queue refuses one more, and runs what it has", async ({ place }) => {
    const host = await place.open({ scenario: gated })
    const session = await host.launch({ cwd: place.cwd })
    const turns = Array.from({ length: 101 }, (_, index) => place.send(session, `prompt number ${index}`))
    await Promise.all(turns.map(turn => turn.accepted))
    expect(await refusal(() => place.send(session, "one too many for it"))).toMatchObject({
      code: "QUEUE_FULL",
    })
    expect(session.status().queued).toBe(100)
    await session.dispose()
    const results = await Promise.all(turns.map(turn => turn.result))
    expect(new Set(results.map(result => result.outcome))).toEqual(new Set(["interrupted"]))
    expect(place.noted("started").length).toBeLessThan(2)
  })
})
