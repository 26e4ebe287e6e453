/** What a chat remembers, who may have it, and where it is kept. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { makePlace, resultOf, type Started, until, usualFlags } from "./harness.ts"

const id = "0b7d7a52-4a1c-4c56-9c5e-5a1f3a4e8d10"
const resuming = (chat: string): readonly string[] => [...usualFlags, "--resume", chat]

const remembering: Scenario = {
  turns: [
    { when: { promptIncludes: "hold" }, steps: [{ do: "init" }, { do: "hang" }] },
    { when: { promptIncludes: "fail" }, steps: [{ do: "init" }, { do: "result", isError: true }] },
    { steps: [{ do: "init" }, { do: "text", text: "turn $TURN, before: [$REMEMBERED]" }, { do: "result" }] },
  ],
}
const standing = (place: ReturnType<typeof makePlace>): Promise<void> =>
  until(() => place.journal().some(entry => entry.event === "waiting"))

describe("a chat", () => {
  it("remembers its finished turns under the id of its first one", async () => {
    const place = makePlace()
    const first = resultOf(await place.run({ scenario: remembering, prompt: "apples" }))
    const chat = String(first.session_id)
    const second = resultOf(await place.run({ scenario: remembering, prompt: "pears", args: resuming(chat) }))
    expect([first.result, second.result]).toEqual(["turn 1, before: []", "turn 2, before: [apples]"])
    expect(second.session_id).toBe(chat)
  })

  it("is kept where Cursor keeps it, with Cursor's keys", async () => {
    const place = makePlace()
    await place.run({ scenario: remembering, args: resuming(id) })
    const folder = join(place.config, "chats", createHash("md5").update(place.cwd).digest("hex"), id)
    const meta: unknown = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8"))
    expect(meta).toEqual({
      schemaVersion: 1,
      createdAtMs: expect.any(Number),
      updatedAtMs: expect.any(Number),
      hasConversation: true,
      cwd: place.cwd,
    })
  })

  it("that nobody knows starts empty, in silence", async () => {
    const ended = await makePlace().run({ scenario: remembering, args: resuming(id) })
    expect(resultOf(ended)).toMatchObject({ session_id: id, result: "turn 1, before: []" })
    expect(ended.stderr).toBe("")
  })

  it("needs a UUID", async () => {
    const { code, stdout, stderr } = await makePlace().run({ args: resuming("../x") })
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toBe(
      'Failed to claim persistent session for chat "../x": Persistent-session chat ID must be a UUID\n',
    )
  })

  it("forgets a turn that was killed, interrupted or failed", async () => {
    const place = makePlace()
    for (const signal of ["SIGKILL", "SIGINT"] as const) {
      const before = place.journal().length
      const held = place.start({ scenario: remembering, prompt: "hold", args: resuming(id) })
      await until(() =>
        place
          .journal()
          .slice(before)
          .some(entry => entry.event === "waiting"),
      )
      held.kill(signal)
      await held.ended
    }
    await place.run({ scenario: remembering, prompt: "fail", args: resuming(id) })
    const ended = await place.run({ scenario: remembering, args: resuming(id) })
    expect(resultOf(ended).result).toBe("turn 1, before: []")
  })

  it("has one process at a time; a killed one's claim counts for nothing", async () => {
    const place = makePlace()
    const first = place.start({ scenario: remembering, prompt: "hold", args: resuming(id) })
    await standing(place)
    const second = await place.run({ scenario: remembering, args: resuming(id) })
    expect([second.code, second.stdout]).toEqual([1, ""])
    expect(second.stderr).toMatch(
      new RegExp(
        `^Chat ${id} may still be running, but .*: Persistent chat ownership is currently changing for `,
      ),
    )
    first.kill("SIGKILL")
    await first.ended
    expect((await place.run({ scenario: remembering, args: resuming(id) })).code).toBe(0)
  })

  it("goes to exactly one of several that find a dead owner", async () => {
    const place = makePlace()
    await place.run({ scenario: remembering, args: resuming(id) })
    const claims = (): number => place.journal().filter(entry => entry.event === "claimed").length
    const rivals: readonly Started[] = Array.from({ length: 4 }, () =>
      place.start({ scenario: remembering, prompt: "hold", args: resuming(id) }),
    )
    const codes = Promise.all(rivals.map(async one => (await one.ended).code))
    await until(
      () => place.journal().filter(entry => entry.event === "exit" && entry.code === 1).length === 3,
    )
    expect(claims()).toBe(2)
    for (const one of rivals) one.kill("SIGTERM")
    const all = await codes
    expect([1, 143].map(code => all.filter(one => one === code).length)).toEqual([3, 1])
  })

  it("is not held by a stranger with its owner's pid", async () => {
    const place = makePlace()
    await place.run({ scenario: remembering, args: resuming(id) })
    const folder = join(place.config, "chats", createHash("md5").update(place.cwd).digest("hex"), id)
    const [lock = ""] = readdirSync(folder).filter(name => name.startsWith("lock."))
    writeFileSync(join(folder, lock), `${process.pid} another-birth`)
    expect((await place.run({ scenario: remembering, args: resuming(id) })).code).toBe(0)
  })

  it("cannot be made twice under an id of the caller's choice", async () => {
    const place = makePlace()
    const args = [...usualFlags, "--new-session-id", id]
    const codes = [await place.run({ scenario: "rs-08", args }), await place.run({ scenario: "rs-08", args })]
    expect(codes.map(one => one.code)).toEqual([0, 1])
  })
})
