/** What waits in a session waits through the death of its host, in order, and each request is done once. */
import { createHash } from "node:crypto"
import { expect } from "vitest"
import { prompt } from "./support/common.ts"
import { after, before, type turn as playing, twoHalves } from "./support/scenarios.ts"
import { it } from "./support/world.ts"

const prompts = [prompt, { id: "order-2", text: "then the second" }, { id: "order-3", text: "and the third" }]
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

it("I12 turns wait in order across a restart, and run one at a time", async ({ world }) => {
  const first = world.first(twoHalves, { prompts })
  await first.sent()
  await world.reached("middle")
  await first.kill()
  const host = await world.open()
  const session = host.session("s")
  expect(session.turns().map(row => row.state)).toEqual(["running", "queued", "queued"])
  world.pass("middle")
  const results = await Promise.all(session.turns().map(row => session.turn(row.turn).result))
  expect(results.map(result => result.outcome)).toEqual(["succeeded", "succeeded", "succeeded"])
  expect(world.evidence.notes("prompt").map(note => note.sha256)).toEqual(
    prompts.map(each => sha256(each.text)),
  )
  expect(world.evidence.notes("claimed").map(note => note.turn)).toEqual([1, 2, 3])
  const [starts, exits] = [world.evidence.notes("started"), world.evidence.notes("exit")]
  for (const [index, exit] of exits.slice(0, -1).entries())
    expect(starts[index + 1]?.at, "the next one starts after the end of the last").toBeGreaterThanOrEqual(
      exit.at,
    )
})

it("I12 a turn that waited and was cancelled is never sent, also by the next host", async ({ world }) => {
  const first = world.first(twoHalves, { prompts })
  const [, second = ""] = await first.sent()
  await world.reached("middle")
  await first.kill()
  const host = await world.open()
  const session = host.session("s")
  await session.interrupt(second)
  world.pass("middle")
  const results = await Promise.all(session.turns().map(row => session.turn(row.turn).result))
  expect(results.map(result => result.outcome)).toEqual(["succeeded", "interrupted", "succeeded"])
  expect(world.evidence.notes("prompt").map(note => note.sha256)).not.toContain(sha256("then the second"))
})

it("I5 the same request to the next host is the same turn; other content is a conflict", async ({
  world,
}) => {
  const first = world.first(twoHalves)
  const [turn] = await first.sent()
  await world.reached("middle")
  await first.kill()
  const session = (await world.open()).session("s")
  const again = session.send(prompt.text, { id: prompt.id })
  expect(again.id).toBe(turn)
  world.pass("middle")
  expect(await again.result).toMatchObject({ outcome: "succeeded", text: before + after })
  expect(await session.send(prompt.text, { id: prompt.id }).result).toMatchObject({
    turn,
    outcome: "succeeded",
  })
  const other = session.send("something else", { id: prompt.id })
  await expect(other.accepted).rejects.toMatchObject({ code: "COMMAND_CONFLICT" })
  expect(world.evidence.turns()).toHaveLength(1)
  expect(world.evidence.notes("prompt")).toHaveLength(1)
})

it("I13 the conversation survives: the turn after a crash resumes it", async ({ world }) => {
  const remembering = {
    turns: [
      {
        when: { remembers: true },
        steps: [
          { do: "init" },
          { do: "user" },
          { do: "text", text: "You said: $REMEMBERED" },
          { do: "result" },
        ],
      },
      ...twoHalves.turns,
    ],
  } as const satisfies ReturnType<typeof playing>
  const first = world.first(remembering)
  await world.reached("middle")
  await first.kill()
  const session = (await world.open()).session("s")
  world.pass("middle")
  const result = await session.send("do you remember?", { id: "order-2" }).result
  expect(result).toMatchObject({ outcome: "succeeded", text: `You said: ${prompt.text}` })
  expect(world.evidence.notes("claimed").map(note => note.resumed)).toEqual([false, true])
})
