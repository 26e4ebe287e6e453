/** Two hosts of one state folder: only one owns a session, and the log is fenced against whoever thinks it does. */
import { join } from "node:path"
import { expect } from "vitest"
import { clocks } from "../../effects/moments.ts"
import { definitions } from "../../machines/index.ts"
import { lockHost, openStore } from "../../store/index.ts"
import { prompt } from "./support/common.ts"
import { after, before, twoHalves } from "./support/scenarios.ts"
import { until } from "./support/until.ts"
import { it } from "./support/world.ts"

const whole = { outcome: "succeeded", text: before + after }
const again = { id: "order-2", text: "and the next" }

it("I17 I35 a second host changes nothing that a live first one owns", async ({ world }) => {
  const first = world.first(twoHalves)
  await world.reached("middle")
  await world.evidence.untilLogged("run.spoke")
  first.stop()
  await first.stopped()
  const head = world.evidence.log(reader => reader.head())
  const host = await world.open()
  expect(host.session("s").status()).toMatchObject({ state: "busy" })
  await host.close()
  expect(world.evidence.log(reader => reader.head())).toEqual(head)
  expect(world.evidence.files().owner).toMatchObject({ pid: first.pid })
  expect(world.evidence.log(reader => reader.ownerOf("s"))).toMatchObject({ epoch: 1 })
  first.goOn()
  world.pass("middle")
  expect(await world.evidence.untilSettled()).toMatchObject({ outcome: "succeeded" })
})

it("I35 what it is asked to do, the owner does", async ({ world }) => {
  world.first(twoHalves)
  await world.reached("middle")
  await world.evidence.untilLogged("run.spoke")
  const session = (await world.open()).session("s")
  const next = session.send(again.text, { id: again.id })
  await next.accepted
  await session.interrupt()
  world.pass("middle")
  expect(await next.result).toMatchObject(whole)
  expect(world.evidence.turns().map(row => row.outcome)).toEqual(["interrupted", "succeeded"])
  expect(new Set(world.evidence.events().map(event => event.epoch))).toEqual(new Set([1]))
})

it("I17 when the first one was killed, the second takes over with its next command", async ({ world }) => {
  const first = world.first(twoHalves)
  await world.reached("middle")
  await world.evidence.untilLogged("run.spoke")
  const session = (await world.open()).session("s")
  await first.kill()
  const next = session.send(again.text, { id: again.id })
  await next.accepted
  world.pass("middle")
  expect(await session.turn(world.evidence.turn().turn).result).toMatchObject(whole)
  expect(await next.result).toMatchObject(whole)
  expect(world.evidence.events().at(-1)?.epoch).toBe(2)
})

it("I17 one that only waits for a result takes over when the owner dies", async ({ world }) => {
  const first = world.first(twoHalves)
  await world.reached("middle")
  await world.evidence.untilLogged("run.spoke")
  const turn = (await world.open()).turn(world.evidence.turn().turn)
  const waiting = turn.result
  await first.kill()
  world.pass("middle")
  expect(await waiting).toMatchObject(whole)
})

it("I35 a host that stood still while another took over appends nothing any more", async ({ world }) => {
  const first = world.first(twoHalves, { log: "warn" })
  await world.reached("middle")
  await world.evidence.untilLogged("run.spoke")
  first.stop()
  await first.stopped()
  const lock = lockHost(world.home, "taker")
  const store = openStore({ folder: world.home, definitions, clock: clocks, host: "taker", mode: "write" })
  expect(store.claimSessions({ agents: ["rehearsal"], isHostDead: () => true })).toMatchObject([{ epoch: 2 }])
  const { position } = store.head()
  first.goOn()
  world.pass("middle")
  await until("the old owner was refused", () => first.stderr.includes("does not own session"))
  await world.untilDead()
  expect(world.evidence.events().at(-1)?.position).toBe(position)
  store.releaseSessions()
  store.close()
  lock.release()
  const host = await world.open()
  expect(await host.turn(world.evidence.turn().turn).result).toMatchObject(whole)
})

it("I11 the same ids in two state folders are two runs: ending one leaves the other alone", async ({
  world,
}) => {
  const first = world.first(twoHalves)
  await world.reached("middle")
  const [turn] = await first.sent()
  const other = await world.open({ home: join(world.root, "other") })
  const session = await other.launch({ id: "s", cwd: world.cwd })
  const sent = session.send(prompt.text, { id: prompt.id })
  await until("the other agent has its prompt", () => world.evidence.notes("claimed").length === 2)
  expect(sent.id).not.toBe(turn)
  await sent.interrupt()
  expect(await sent.result).toMatchObject({ outcome: "interrupted" })
  expect(world.evidence.turn().state).toBe("running")
  world.pass("middle")
  expect(await world.evidence.untilSettled()).toMatchObject({ outcome: "succeeded" })
})
