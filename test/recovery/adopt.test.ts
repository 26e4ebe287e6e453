/** Row "claimed, identity alive": the next host goes on where the log stands, and readers notice nothing. */
import { mkdirSync, renameSync, rmdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { expectSeamless } from "./support/reading.ts"
import { after, before, endsWith, inTool, lateStarter, twoHalves } from "./support/scenarios.ts"
import { until } from "./support/until.ts"
import { endProcess, it } from "./support/world.ts"

const whole = { outcome: "succeeded", text: before + after }

describe("a run that is alive is adopted", () => {
  it("I8 I10 when its host was killed before the first output", async ({ world }) => {
    const first = world.first(lateStarter)
    await world.reached("start")
    await first.kill()
    const turn = (await world.open()).turn(world.evidence.turn().turn)
    world.pass("start")
    expect(await turn.result).toMatchObject(whole)
    await expectSeamless(turn, first.read(), before + after)
  })

  it("I7 I8 I10 when its host was killed in the middle of the stream", async ({ world }) => {
    const first = world.first(twoHalves)
    await world.reached("middle")
    await first.hasRead("text", event => event.type === "text.delta")
    await first.kill()
    const turn = (await world.open()).turn(world.evidence.turn().turn)
    world.pass("middle")
    expect(await turn.result).toMatchObject(whole)
    await expectSeamless(turn, first.read(), before + after)
    expect(world.evidence.logged("run.spoke")).toHaveLength(1)
  })

  it("I8 I10 when its host was killed during an open tool call, which stays open and is closed once", async ({
    world,
  }) => {
    const first = world.first(inTool)
    await world.evidence.untilLogged("run.toolStarted")
    await first.kill()
    const turn = (await world.open()).turn(world.evidence.turn().turn)
    world.pass("middle")
    expect(await turn.result).toMatchObject(whole)
    await expectSeamless(turn, first.read(), before + after)
    expect(world.evidence.logged("run.toolStarted")).toHaveLength(1)
    expect(world.evidence.logged("run.toolCompleted")).toHaveLength(1)
  })

  it("I7 I8 I10 twice in a row", async ({ world }) => {
    const first = world.first(twoHalves)
    await first.hasRead("text", event => event.type === "text.delta")
    await world.reached("middle")
    await first.kill()
    const cursor = first.read().at(-1)?.at ?? null
    const second = world.next({ after: cursor })
    await second.ready()
    await second.kill()
    const turn = (await world.open()).turn(world.evidence.turn().turn)
    world.pass("middle")
    expect(await turn.result).toMatchObject(whole)
    await expectSeamless(turn, [...first.read(), ...second.read()], before + after)
  })

  it("I9 and still can be interrupted, with the text so far", async ({ world }) => {
    const first = world.first(twoHalves)
    await world.reached("middle")
    await first.kill()
    const turn = (await world.open()).turn(world.evidence.turn().turn)
    await turn.interrupt()
    expect(await turn.result).toMatchObject({ outcome: "interrupted", text: before })
    expect(world.alive()).toEqual([])
    expect(world.evidence.notes("signal")).toMatchObject([{ name: "SIGINT" }])
  })
})

describe("an agent whose launcher was killed is adopted too", () => {
  it("I10 and its terminal line settles the turn, although nobody writes `exit`", async ({ world }) => {
    const first = world.first(twoHalves)
    await world.reached("middle")
    await first.kill()
    endProcess(await world.evidence.claimed())
    const turn = (await world.open()).turn(world.evidence.turn().turn)
    world.pass("middle")
    expect(await turn.result).toMatchObject(whole)
    expect(world.evidence.files().exit).toBeNull()
    await expectSeamless(turn, first.read(), before + after)
  })

  it("I9 and is ended by an interrupt", async ({ world }) => {
    const first = world.first(twoHalves)
    await world.reached("middle")
    await first.kill()
    endProcess(await world.evidence.claimed())
    const turn = (await world.open()).turn(world.evidence.turn().turn)
    await turn.interrupt()
    expect(await turn.result).toMatchObject({ outcome: "interrupted", text: before })
    expect(world.alive()).toEqual([])
  })

  it("and without a terminal line its outcome is unknown", async ({ world }) => {
    const first = world.first(endsWith({ do: "exit", code: 1 }))
    await world.reached("middle")
    await first.kill()
    endProcess(await world.evidence.claimed())
    const turn = (await world.open()).turn(world.evidence.turn().turn)
    world.pass("middle")
    expect(await turn.result).toMatchObject({ outcome: "outcomeUnknown", text: before, failure: null })
  })
})

it("I10 a process that ends the moment its host is killed loses nothing", async ({ world }) => {
  const first = world.first(twoHalves)
  await world.reached("middle")
  first.stop()
  world.pass("middle")
  await world.untilDead()
  await first.kill()
  const turn = (await world.open()).turn(world.evidence.turn().turn)
  expect(await turn.result).toMatchObject(whole)
  await expectSeamless(turn, first.read(), before + after)
})

it("I6 a run folder that nobody can read keeps no other run from being adopted", async ({ world }) => {
  const first = world.first(twoHalves)
  await world.reached("middle")
  await world.evidence.untilLogged("run.spoke")
  await first.kill()
  const other = { id: "order-2", text: "in another session" }
  const second = world.next({ session: "s2", launch: true, prompts: [other] })
  await until("both agents are in the middle", () => world.evidence.notes("waiting").length === 2)
  await until("the second is known", () => world.evidence.logged("run.spoke").length === 2)
  await second.kill()
  // A folder where the spool was.
  const spool = join(world.evidence.folder(world.evidence.run()), "stdout")
  const aside = `${spool}.aside`
  renameSync(spool, aside)
  mkdirSync(spool)
  const host = await world.open()
  world.pass("middle")
  const [turn] = host.session("s2").turns()
  expect(await host.turn(turn?.turn ?? "").result).toMatchObject(whole)
  rmdirSync(spool)
  renameSync(aside, spool)
  await host.close({ leave: true })
})
