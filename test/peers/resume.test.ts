/** The next prompt goes on with the conversation of the real codex, and a conversation that is gone is noticed. */
import { rmSync, writeFileSync } from "node:fs"
import { describe, expect } from "vitest"
import { noticed, ofType, type Seen } from "../cases/harness.ts"
import { says } from "./model/decision.ts"
import { Gate } from "./model/gate.ts"
import { it } from "./place.ts"

const named = (events: readonly Seen[]) => ofType(events, "run.identified").map(event => event.conversation)

describe("a second prompt", () => {
  it("of another host resumes the conversation, and the model gets its history and each prompt once", async ({
    place,
  }) => {
    place.model.decides(says("Noted."), says("It was 42."))
    const session = await place.session()
    const first = await place.say(session, "remember the number 42")
    await place.closeHosts()
    const host = await place.host()
    const second = await place.say(host.session(session.id), "which number was it?")

    expect(second.result).toMatchObject({ outcome: "succeeded", text: "It was 42.", historyLost: false })
    expect(named(second.events)).toEqual(named(first.events))
    expect(ofType(second.events, "run.started").map(event => event.resumes)).toEqual(named(first.events))
    expect(place.model.asked).toHaveLength(2)
    expect(place.model.asked[1]?.said.slice(-3)).toEqual([
      { by: "person", text: "remember the number 42" },
      { by: "model", text: "Noted." },
      { by: "person", text: "which number was it?" },
    ])
  })
})

describe("a conversation that codex no longer has", () => {
  const losses: readonly [string, (path: string) => void][] = [
    ["because its file is gone", path => rmSync(path)],
    ["because its file is empty", path => writeFileSync(path, "")],
  ]
  for (const [why, lose] of losses)
    it(`${why}: the prompt starts a fresh one, visibly, and is sent once`, async ({ place }) => {
      place.model.decides(says("Noted."), says("I do not know."))
      const session = await place.session()
      const first = await place.say(session, "remember the number 42")
      const [file, ...others] = place.rollouts()
      expect(others).toEqual([])
      lose(file ?? "")
      const second = await place.say(session, "which number was it?")
      expect(second.result).toMatchObject({ outcome: "succeeded", text: "I do not know.", historyLost: true })
      expect(noticed(second.events)).toEqual(["historyLost"])
      expect(named(second.events)).not.toEqual(named(first.events))
      expect(place.heard("which number was it?")).toBe(1)
    })
})

describe("a conversation that another process holds", () => {
  it("is told as busy, disturbs nobody, and takes the prompt when it is free", async ({ place }) => {
    const gate = new Gate()
    place.model.decides(says("Noted."), says("Still ", gate, "here."), says("It was 42."))
    const session = await place.session()
    const first = await place.say(session, "remember the number 42")
    const other = place.codex(named(first.events)[0] ?? "", "somebody else's question")
    await place.asked(2)
    const second = await place.say(session, "which number was it?")
    expect(second.result).toMatchObject({
      outcome: "failed",
      conversation: "reusable",
      failure: { kind: "busy" },
    })
    expect(place.model.asked).toHaveLength(2)

    gate.open()
    expect(await other).toBe(0)
    const third = await place.say(session, "and now, which number was it?")
    expect(third.result).toMatchObject({ outcome: "succeeded", text: "It was 42.", historyLost: false })
  })
})
