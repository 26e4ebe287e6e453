/** I7: readers get every event once, in order, wherever their connection or their host was cut. */
import { expect } from "vitest"
import type { Seen } from "./support/child.ts"
import { prompt } from "./support/common.ts"
import { readOn, said } from "./support/reading.ts"
import { after, before, turn as playing, twoHalves } from "./support/scenarios.ts"
import { it } from "./support/world.ts"

const eventful = playing(
  { do: "init" },
  { do: "user" },
  { do: "thinking", text: "Let me see what is here.", chunks: 2 },
  { do: "text", text: before, chunks: 3 },
  { do: "tool", kind: "edit", args: { path: "notes.md" }, append: "one line\n", real: true },
  { do: "emit", event: { type: "something_new", session_id: "$SESSION" } },
  { do: "text", text: after, chunks: 3 },
  { do: "result" },
)

it("I7 behind the cursor of any event there is exactly the rest", async ({ world }) => {
  await world.first(eventful, { points: [{ act: "kill", when: "after", event: "run.prepared" }] }).died()
  const turn = (await world.open()).turn(world.evidence.turn().turn)
  const whole = await readOn(turn)
  const kinds = ["run.started", "thinking.delta", "text.delta", "tool.completed", "notice", "turn.settled"]
  expect(whole.map(event => event.type)).toEqual(expect.arrayContaining(kinds))
  expect(new Set(whole.map(event => event.at)).size).toBe(whole.length)
  for (const [index, event] of whole.entries())
    if (event.type !== "turn.settled") expect(await readOn(turn, event.at)).toEqual(whole.slice(index + 1))
})

it("I7 a reader in another process notices nothing of the death of the host, and of the next one's", async ({
  world,
}) => {
  const first = world.first(twoHalves)
  await first.sent()
  const watcher = await world.open()
  const turn = watcher.turn(world.evidence.turn().turn)
  const live: Seen[] = []
  const reading = (async () => {
    for await (const event of turn.events()) live.push(event)
  })()
  await world.reached("middle")
  await first.kill()
  const second = world.next({ points: [{ act: "kill", when: "after", event: "run.resultSeen" }] })
  await second.ready()
  world.pass("middle")
  await second.died()
  const third = world.next()
  await third.ready()
  await reading
  expect(live).toEqual(await readOn(turn))
  expect(said(live)).toBe(before + after)
  expect(world.evidence.turn().outcome).toBe("succeeded")
})

it("I7 readers of a session get both turns in order, one host after the other", async ({ world }) => {
  const next = { id: "order-2", text: "and once more" }
  const first = world.first(twoHalves, { prompts: [prompt, next] })
  await first.hasRead("text", event => event.type === "text.delta")
  await first.sent()
  await first.kill()
  world.pass("middle")
  const second = world.next({ after: first.read().at(-1)?.at ?? null })
  await world.evidence.untilSettled(2)
  const settlements = () => second.read().filter(event => event.type === "turn.settled")
  await second.hasRead("the end of both turns", () => settlements().length === 2)
  const session = (await world.open()).session("s")
  const whole = await Promise.all(session.turns().map(row => readOn(session.turn(row.turn))))
  expect([...first.read(), ...second.read()]).toEqual(whole.flat())
})
