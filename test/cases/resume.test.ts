/** Field cases RS: what becomes of a conversation between two turns, and that a loss is never silent. */
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { it, noticed, ofType, type Place, untilSeen } from "./harness.ts"

const uuid = /^[0-9a-f-]{36}$/

/** What the agent was asked to resume, start by start. */
const resumes = (place: Place) =>
  place.noted("started").map(({ argv }) => {
    const at = argv.indexOf("--resume")
    return at === -1 ? null : argv[at + 1]
  })

/** Where the agent keeps the session's chats. */
function chats(place: Place, session: string): string {
  const folder = join(place.home, "agents", session, "chats")
  const [bucket = ""] = readdirSync(folder)
  return join(folder, bucket)
}

describe.concurrent("resume", () => {
  it("RS-01 a chat whose store is gone is found before the start: fresh conversation, visible loss", async ({
    place,
  }) => {
    const { session } = await place.play("rs-01")
    const first = session.status().conversation ?? ""
    rmSync(join(chats(place, session.id), first), { recursive: true })
    const second = await place.take(session, "what did I say before")
    expect(second.result.outcome).toBe("succeeded")
    expect(noticed(second.events)).toContain("historyLost")
    expect(resumes(place)).toEqual([null, null])
    const now = session.status().conversation
    expect(now).toMatch(uuid)
    expect(now).not.toBe(first)
    // The loss was of one turn: the next one goes on with what there is.
    const third = await place.take(session, "and what about this one")
    expect(noticed(third.events)).not.toContain("historyLost")
    expect(resumes(place)).toEqual([null, null, now])
  })

  it("RS-01 an emptied chat folder is a lost chat too", async ({ place }) => {
    const { session } = await place.play("rs-01")
    const folder = join(chats(place, session.id), session.status().conversation ?? "")
    for (const file of readdirSync(folder)) rmSync(join(folder, file))
    const { events } = await place.take(session, "what did I say before")
    expect(noticed(events)).toContain("historyLost")
    expect(resumes(place)).toEqual([null, null])
  })

  for (const scenario of ["rs-02", "rs-02-uuid", "rs-02-not-found"])
    it(`RS-02 an id that the agent refuses is given up once, with a notice, and not kept (${scenario})`, async ({
      place,
    }) => {
      const { session } = await place.play(scenario)
      const first = session.status().conversation
      const { events, result } = await place.take(session, "go on where we were")
      expect(result.outcome).toBe("succeeded")
      expect(noticed(events)).toContain("historyLost")
      expect(resumes(place)).toEqual([null, first, null])
      expect(session.status().conversation).toMatch(uuid)
      expect(session.status().conversation).not.toBe(first)
    })

  it("RS-02 after something was said there is no second try", async ({ place }) => {
    const scenario: Scenario = {
      turns: [
        {
          when: { resumed: true },
          steps: [
            { do: "init" },
            { do: "text", text: "I remember" },
            { do: "stderr", text: "Error: chat not found\n" },
            { do: "exit", code: 1 },
          ],
        },
        { steps: [{ do: "init" }, { do: "text", text: "Hello." }, { do: "result" }] },
      ],
    }
    const { session } = await place.play(scenario)
    const { result } = await place.take(session, "go on where we were")
    expect(result).toMatchObject({ outcome: "failed", text: "I remember", failure: { code: "RESUME_LOST" } })
    expect(place.noted("started")).toHaveLength(2)
    // The dead id is not kept either.
    expect((await place.take(session, "and once more then")).result.outcome).toBe("succeeded")
    expect(resumes(place)[2]).toBeNull()
  })

  for (const [how, steps] of [
    ["exits", [{ do: "exit", code: 1 }]],
    ["is killed", [{ do: "signal", name: "SIGKILL" }]],
  ] as const)
    it(`RS-04 a program that ${how} before its first line leaves a session that works`, async ({ place }) => {
      const scenario: Scenario = {
        turns: [
          { when: { startsUpTo: 1 }, steps },
          { steps: [{ do: "init" }, { do: "text", text: "Here." }, { do: "result" }] },
        ],
      }
      const { session, result } = await place.play(scenario)
      expect(result).toMatchObject({ outcome: "failed", failure: { kind: "crashed" } })
      expect(session.status().conversation).toBeNull()
      const next = await place.take(session, "are you there now")
      expect(next.result).toMatchObject({ outcome: "succeeded", text: "Here." })
      expect(resumes(place)).toEqual([null, null])
    })

  it("RS-04 an id that only the result has is the one that is resumed", async ({ place }) => {
    const { session } = await place.play("rs-04-late-id")
    const [claimed] = place.noted("claimed")
    expect(session.status().conversation).toBe(claimed?.session)
    await place.take(session, "once more with the id")
    expect(resumes(place)).toEqual([null, claimed?.session])
  })

  it("RS-06 what was interrupted is in our history, whether or not the agent remembers it", async ({
    place,
  }) => {
    const host = await place.open({ scenario: "rs-06" })
    const session = await host.launch({ cwd: place.cwd })
    const waiting = place.send(session, "please wait for ever")
    await untilSeen(waiting, event => event.type === "text.delta")
    await waiting.interrupt()
    const interrupted = await place.result(waiting)
    const next = await place.take(session, "what did I say before")
    expect(next.result.text).toMatch(/^This is turn 1 of chat/) // the agent has forgotten
    expect(resumes(place)).toEqual([null, session.status().conversation])
    expect(session.turns().map(row => row.outcome)).toEqual(["interrupted", "succeeded"])
    await host.close()
    const again = (await place.open({ scenario: "rs-06" })).turn(waiting.id)
    expect(await place.result(again)).toEqual(interrupted)
    expect(interrupted.text).toBe("I am waiting")
  })

  it("RS-07 RS-08 two sessions of one folder each resume their own chat by its id, and none is made by us", async ({
    place,
  }) => {
    const { host, session: one } = await place.play("rs-07", { prompt: "this is session one" })
    const two = await host.launch({ cwd: place.cwd })
    await place.take(two, "this is session two")
    const first = await place.take(one, "which session are you")
    const second = await place.take(two, "which session are you")
    expect(first.result.text).toMatch(/you said before: this is session one$/)
    expect(second.result.text).toMatch(/you said before: this is session two$/)
    expect(resumes(place)).toEqual([null, null, one.status().conversation, two.status().conversation])
    const flags = place.noted("started").flatMap(({ argv }) => argv)
    expect(flags).not.toContain("--continue")
    expect(flags).not.toContain("--new-session-id")
  })

  it("a conversation is resumed by the next host too", async ({ place }) => {
    const { host, session } = await place.play("rs-07", { prompt: "remember the word marmalade" })
    const { conversation } = session.status()
    await host.close()
    const next = await place.open({ scenario: "rs-07" })
    const { result, events } = await place.take(next.session(session.id), "which word was it")
    expect(result.text).toMatch(/you said before: remember the word marmalade$/)
    expect(ofType(events, "run.started")).toMatchObject([{ resumes: conversation }])
  })
})
