/** Field case PL-09: a host dies in the middle of a turn. What its successor finds alive goes on, never twice. */
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, onTestFinished } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { all, endProcess, isAlive, it, ofType, type Place, streamed, until } from "./harness.ts"
import { type OtherHost, startHost } from "./host-orders.ts"

const session = "case-session"

/** Says something, edits a file, waits for a gate in its workspace, edits another one, ends well. */
const work = "pl-09"
const hangs: Scenario = {
  turns: [
    {
      steps: [
        { do: "ignoreSignals", signals: ["SIGINT", "SIGTERM"] },
        { do: "init" },
        { do: "text", text: "Before." },
        { do: "hang" },
      ],
    },
  ],
}

interface Orphaned {
  readonly first: OtherHost
  readonly turn: string
  readonly agent: number
}

/** A host that was killed while its agent stood still in the middle of a turn. */
async function orphan(
  place: Place,
  scenario: Scenario | string,
  more: readonly string[] = [],
): Promise<Orphaned> {
  const prompts = ["the prompt of the first turn", ...more]
  const first = startHost(place, scenario, { cwd: place.cwd, session, prompts })
  const accepted = await first.said("accepted", prompts.length)
  await until(() => place.noted("waiting").length > 0)
  await until(() => place.log().some(event => event.type === "spoke"))
  await first.kill()
  return { first, turn: accepted[0]?.turn ?? "", agent: place.noted("started")[0]?.pid ?? 0 }
}

describe("restart", () => {
  it("PL-09 a run that lives is adopted, and ends as if nothing had happened", async ({ place }) => {
    const { turn: id, agent } = await orphan(place, work)
    expect(isAlive(agent)).toBe(true)
    const host = await place.open({ scenario: work })
    const turn = host.session(session).turn(id)
    writeFileSync(join(place.cwd, "holdfast-go"), "")
    const events = await all(turn)
    expect(await place.result(turn)).toMatchObject({ outcome: "succeeded", text: "Before. After." })
    expect(streamed(events)).toBe("Before. After.")
    expect(events.some(event => event.type === "run.adopted")).toBe(true)
    expect(place.noted("started")).toHaveLength(1)
    expect(readFileSync(join(place.cwd, "before.txt"), "utf8")).toBe("turn 1\n")
    expect(readFileSync(join(place.cwd, "after.txt"), "utf8")).toBe("turn 1\n")
  })

  it("PL-09 a run that ended well while nobody looked has succeeded", async ({ place }) => {
    const { turn: id, agent } = await orphan(place, work)
    writeFileSync(join(place.cwd, "holdfast-go"), "")
    await until(() => !isAlive(agent))
    const host = await place.open({ scenario: work })
    expect(await place.result(host.turn(id))).toMatchObject({ outcome: "succeeded", text: "Before. After." })
    expect(place.noted("started")).toHaveLength(1)
  })

  it("PL-09 a run whose agent died with nobody to see it is not known, keeps its text, and is not repeated", async ({
    place,
  }) => {
    const { turn: id, agent } = await orphan(place, work, ["the prompt of the second turn"])
    for (const pid of place.alive()) endProcess(pid)
    await place.untilDead()
    const host = await place.open({ scenario: work })
    expect(isAlive(agent)).toBe(false)
    expect(await place.result(host.turn(id))).toMatchObject({ outcome: "outcomeUnknown", text: "Before. " })
    // Somebody has to look first: the next turn waits.
    expect(host.session(session).status()).toMatchObject({ state: "paused", queued: 1 })
    expect(place.noted("started")).toHaveLength(1)
    await host.session(session).resume()
    const second = host.session(session).turns()[1]?.turn ?? ""
    await until(() => place.noted("started").length === 2)
    writeFileSync(join(place.cwd, "holdfast-go"), "")
    expect(await place.result(host.turn(second))).toMatchObject({ outcome: "succeeded" })
  })

  it("PL-09 a pid that another program has now is neither adopted nor signalled", async ({ place }) => {
    const { turn: id } = await orphan(place, work)
    for (const pid of place.alive()) endProcess(pid)
    await place.untilDead()
    const innocent = spawn("sleep", ["300"], { stdio: "ignore" })
    onTestFinished(() => void innocent.kill())
    const folder = join(place.home, "runs", `${id}.1`)
    for (const file of ["claim", "agent"]) {
      const text = readFileSync(join(folder, file), "utf8")
      writeFileSync(join(folder, file), text.replace(/^pid=\d+$/m, `pid=${innocent.pid}`))
    }
    const host = await place.open({ scenario: work })
    expect(await place.result(host.turn(id))).toMatchObject({ outcome: "outcomeUnknown" })
    expect(isAlive(innocent.pid ?? 0)).toBe(true)
    expect(place.noted("started")).toHaveLength(1)
  })

  it("PL-09 an adopted run that ignores signals can still be interrupted", async ({ place }) => {
    const { turn: id, agent } = await orphan(place, hangs)
    const host = await place.open({ scenario: hangs })
    const turn = host.turn(id)
    await turn.interrupt()
    expect(isAlive(agent)).toBe(false)
    expect(await place.result(turn)).toMatchObject({ outcome: "interrupted", text: "Before." })
    expect(place.noted("started")).toHaveLength(1)
  })

  it("PL-09 a run without a host for too long is ended by its launcher, and says why", async ({ place }) => {
    const first = startHost(
      place,
      hangs,
      { cwd: place.cwd, session, prompts: ["nobody will look after this"] },
      { unattendedMs: 100, signalGraceMs: 100 },
    )
    await until(() => place.noted("waiting").length > 0)
    await first.kill()
    await place.untilDead()
    const host = await place.open({ scenario: hangs })
    const [row] = host.session(session).turns()
    expect(await place.result(host.turn(row?.turn ?? ""))).toMatchObject({
      outcome: "failed",
      text: "Before.",
      failure: { kind: "host", code: "UNATTENDED" },
    })
  })

  it("PL-09 an orderly close interrupts what runs; one that leaves it, leaves it to the next host", async ({
    place,
  }) => {
    const first = startHost(place, work, { cwd: place.cwd, session, prompts: ["work across two hosts"] })
    await until(() => place.noted("waiting").length > 0)
    await first.close("leave")
    expect(isAlive(place.noted("started")[0]?.pid ?? 0)).toBe(true)
    const host = await place.open({ scenario: work })
    const turn = host.turn(host.session(session).turns()[0]?.turn ?? "")
    await host.close()
    expect(place.alive()).toEqual([])
    const next = await place.open({ scenario: work })
    expect(await place.result(next.turn(turn.id))).toMatchObject({ outcome: "interrupted", text: "Before. " })
    expect(ofType(await all(next.turn(turn.id)), "turn.settled")).toHaveLength(1)
    expect(place.noted("started")).toHaveLength(1)
  })
})
