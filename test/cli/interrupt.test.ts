/** Ctrl-C: once it asks, twice it does not wait. In both cases no process is left, and the log knows the outcome. */
import { expect, it } from "vitest"
import { makePlace, rehearse, until } from "./harness.ts"
import { ofType } from "./lines.ts"

it.each(["SIGINT", "SIGTERM"] as const)(
  "one %s interrupts the turn and waits for its outcome",
  async signal => {
    const place = makePlace()
    const host = place.start(rehearse("s", "Look."), { scenario: "pl-03" })
    await host.line("text.delta")
    host.child.kill(signal)
    const ended = await host.ended
    expect(ended).toMatchObject({ code: 130, signal: null, stderr: "" })
    const [result] = ofType(ended.lines(), "result")
    expect(result).toMatchObject({ outcome: "interrupted", exit: 130 })
    expect("I'll look at").toContain(result?.text) // what was said by then is kept
    expect(place.alive()).toEqual([])
    expect(place.journal().find(entry => entry.event === "signal")).toMatchObject({ name: "SIGINT" })
  },
)

it("a second Ctrl-C ends an agent that takes no notice, at once, and the next host finds it interrupted", async () => {
  const place = makePlace()
  // Its limits would let it go on for an hour.
  const host = place.start(rehearse("s", "Go on."), {
    scenario: "pl-07",
    env: { HOLDFAST_REHEARSAL_PACE: "1" },
  })
  await host.line("text.delta")
  host.child.kill("SIGINT")
  await host.line("interrupting")
  await until(() => place.journal().some(entry => entry.event === "signal"))
  host.child.kill("SIGINT")
  expect(await host.ended).toMatchObject({ code: 130 })
  expect(place.alive()).toEqual([])
  expect(place.journal().some(entry => entry.event === "exit")).toBe(false)

  const next = await place.run(["send", "s", "--json", "Hello."], { scenario: "st-17" })
  expect(next.code).toBe(0)
  const log = (await place.ask("log", "s", "--json")).lines
  const settled = log.filter(line => ["interrupted", "succeeded"].includes(String(line.to)))
  expect(settled.map(line => line.to)).toEqual(["interrupted", "succeeded"])
})

it("`interrupt` ends a turn that another process runs, and that process tells so", async () => {
  const place = makePlace()
  const host = place.start(rehearse("s", "Look."), { scenario: "pl-03" })
  await host.line("text.delta")
  const asked = await place.run(["interrupt", "s", "--json"])
  expect(asked.code).toBe(0)
  expect(asked.lines()).toMatchObject([{ type: "result", outcome: "interrupted" }])
  expect((await host.ended).code).toBe(130)
  expect(place.alive()).toEqual([])
  const again = await place.ask("interrupt", "s", "--json")
  expect(again.lines).toEqual([{ type: "result", session: "s", turn: null, outcome: null }])
})
