/** Field cases PL: how the process lives, hangs, is ended, and what it must not leave behind. */
import { writeFileSync } from "node:fs"
import { describe, expect } from "vitest"
import type { Scenario, Step } from "../../adapters/rehearsal/index.ts"
import { all, isAlive, it, noticed, ofType, streamed, until, untilSeen, untilThere } from "./harness.ts"

const opening: readonly Step[] = [{ do: "init" }, { do: "user" }]
const scenario = (...steps: readonly Step[]): Scenario => ({ turns: [{ steps: [...opening, ...steps] }] })
const deaf: Step = { do: "ignoreSignals", signals: ["SIGINT", "SIGTERM", "SIGHUP"] }
const quick = { resultGraceMs: 100, signalGraceMs: 100 }

describe("lifecycle", () => {
  it("PL-01 a result followed by a process that never exits is a success, and the tree is ended", async ({
    place,
  }) => {
    const steps = scenario(
      { do: "spawn", command: "exec sleep 300" },
      { do: "spawn", command: "exec sleep 300", detached: true },
      { do: "text", text: "All done." },
      { do: "result" },
      { do: "hang" },
    )
    const { events, result } = await place.play(steps, { limits: quick })
    expect(place.alive()).toEqual([])
    expect(result).toMatchObject({ outcome: "succeeded", text: "All done.", failure: null })
    expect(ofType(events, "turn.settled")).toMatchObject([{ left: [] }])
    expect(place.noted("spawned")).toHaveLength(2)
  })

  it("PL-01 somebody else who holds stdout open does not hold the turn open", async ({ place }) => {
    const { result } = await place.play("pl-01-stdout-held", { limits: quick })
    expect(place.alive()).toEqual([])
    expect(result).toMatchObject({ outcome: "succeeded", text: "All done." })
  })

  it("PL-02 a program that waits for the end of its stdin gets it", async ({ place }) => {
    const reads = scenario({ do: "waitForStdinEnd" }, { do: "text", text: "Hello." }, { do: "result" })
    const { result } = await place.play(reads, { prompt: "read me to my end" })
    expect(place.noted("prompt")).toMatchObject([{ from: "stdin", bytes: 17 }])
    expect(result).toMatchObject({ outcome: "succeeded", text: "Hello." })
  })

  it("PL-06 a megabyte that ends in the result, and an immediate exit, lose nothing", async ({ place }) => {
    const { events, result } = await place.play("pl-06")
    expect(streamed(events)).toBe("x".repeat(1_048_576))
    expect(result.text).toHaveLength(1_048_576)
    expect(result.outcome).toBe("succeeded")
  })

  it("PL-07 an interrupt of a program that ignores signals ends in SIGKILL, and resolves after its death", async ({
    place,
  }) => {
    const host = await place.open({
      scenario: scenario(
        deaf,
        { do: "text", text: "and so on, ".repeat(2_000), chunks: 2_000, waitMs: 5 },
        { do: "hang" },
      ),
      pace: 1,
      limits: quick,
    })
    const session = await host.launch({ cwd: place.cwd })
    const turn = place.send(session, "talk until you are stopped")
    await untilSeen(turn, event => event.type === "text.delta")
    await turn.interrupt()
    const [started] = place.noted("started")
    expect(isAlive(started?.pid ?? 0)).toBe(false)
    expect(place.alive()).toEqual([])
    expect(place.noted("signal")).toMatchObject([
      { name: "SIGINT", ignored: true },
      { name: "SIGTERM", ignored: true },
    ])
    const result = await place.result(turn)
    expect(result).toMatchObject({ outcome: "interrupted", failure: null })
    expect(result.text).toMatch(/^and so on, /)
    const before = place.log().length
    expect(await place.result(turn)).toEqual(result)
    expect(place.log()).toHaveLength(before)
  })

  it("PL-07 a polite program that is interrupted keeps what it said", async ({ place }) => {
    const host = await place.open({
      scenario: scenario({ do: "text", text: "Half a reply" }, { do: "hang" }),
    })
    const turn = place.send(await host.launch({ cwd: place.cwd }), "say half a reply")
    await untilSeen(turn, event => event.type === "text.delta")
    await turn.interrupt()
    expect(await place.result(turn)).toMatchObject({ outcome: "interrupted", text: "Half a reply" })
    expect(place.noted("signal")).toMatchObject([{ name: "SIGINT", ignored: false }])
  })

  it("PL-07 a child in a session of its own that ignores signals is ended with its run", async ({
    place,
  }) => {
    const { result, events } = await place.play("pl-07-child", { limits: quick })
    expect(place.alive()).toEqual([])
    expect(result).toMatchObject({ outcome: "succeeded", text: "I left something behind." })
    expect(ofType(events, "turn.settled")).toMatchObject([{ left: [] }])
  })

  it("PL-12 a megabyte on stderr before the first line blocks nobody", async ({ place }) => {
    const { result } = await place.play("pl-12")
    expect(result).toMatchObject({ outcome: "succeeded", text: "Hi." })
  })

  it("PL-15 a success in which every tool was refused says how many", async ({ place }) => {
    const { events, result } = await place.play("pl-15")
    expect(result).toMatchObject({ outcome: "succeeded", text: "I was not allowed to run anything." })
    expect(ofType(events, "tool.completed").map(event => event.status)).toEqual(["denied", "denied"])
    expect(ofType(events, "turn.settled")).toMatchObject([{ deniedTools: 2 }])
    expect(ofType(events, "notice")).toMatchObject([{ code: "toolsDenied", count: 2 }])
  })

  it("PL-15 a denied call, a skipped question and a failed command are no failure of the turn", async ({
    place,
  }) => {
    const { events, result } = await place.play("denied")
    expect(result.outcome).toBe("succeeded")
    expect(ofType(events, "tool.completed").map(event => event.status)).toEqual([
      "denied",
      "denied",
      "failed",
    ])
  })

  it("a program that closes its stdout and fails has failed, with what it said", async ({ place }) => {
    const { result } = await place.play("closes-stdout")
    expect(result).toMatchObject({ outcome: "failed", text: "Half a ", failure: { code: "AGENT_EXITED" } })
  })

  it("a program that dies of its own fault has crashed, and the next turn works", async ({ place }) => {
    const { result } = await place.play("crash")
    expect(result).toMatchObject({ outcome: "failed", failure: { kind: "crashed", code: "AGENT_KILLED" } })
  })

  for (const pollMs of [5, 300])
    it(`a spool that a script empties and writes on is said to have been, looked at every ${pollMs} ms`, async ({
      place,
    }) => {
      const gate = place.at("seen")
      const steps = scenario(
        { do: "text", text: "Gone from the file. " },
        { do: "waitForFile", path: gate },
        { do: "truncateOwnStdout" },
        { do: "text", text: "Still there." },
        { do: "result" },
      )
      const host = await place.open({ scenario: steps, pollMs })
      const turn = place.send(await host.launch({ cwd: place.cwd }), "empty your own spool")
      const reading = all(turn)
      await untilSeen(turn, event => event.type === "text.delta")
      await until(() => place.log().some(event => event.type === "spoke"))
      writeFileSync(gate, "")
      const result = await place.result(turn)
      expect(result).toMatchObject({ outcome: "succeeded", text: "Gone from the file. Still there." })
      expect(place.log().some(event => event.data.code === "spoolTruncated")).toBe(true)
      expect(noticed(await reading)).toEqual(["spoolTruncated"])
    })

  it("a shared daemon without the run's mark is left alone", async ({ place }) => {
    const ready = place.at("daemon")
    const { result, events } = await place.play(
      scenario(
        { do: "spawn", command: `touch ${ready}; exec sleep 300`, detached: true, dropMarker: true },
        { do: "waitForFile", path: ready },
        { do: "text", text: "Done." },
        { do: "result" },
      ),
      { limits: quick },
    )
    await untilThere(ready)
    const [daemon] = place.noted("spawned")
    expect(result.outcome).toBe("succeeded")
    expect(isAlive(daemon?.child ?? 0)).toBe(true)
    expect(noticed(events)).toEqual([])
    place.expectedLeft.add(daemon?.child ?? 0)
  })
})
