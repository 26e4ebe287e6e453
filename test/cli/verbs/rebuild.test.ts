/** `rebuild`: what is derived comes back byte for byte; what must not be risked is refused. */
import { existsSync } from "node:fs"
import { expect, it, onTestFinished } from "vitest"
import { lockHost } from "../../../store/index.ts"
import { dumpCaches } from "../../store/support.ts"
import { makePlace } from "../harness.ts"
import { placeWithLog, tamper, treeOf } from "./support.ts"

it("makes anew what is derived from the log, byte for byte, and says what had been wrong", async () => {
  const place = await placeWithLog()
  const before = dumpCaches(place.home)
  tamper(place, "DELETE FROM outbox; UPDATE sessions SET state = 'ready' WHERE session = 'b'")
  expect(dumpCaches(place.home)).not.toEqual(before)
  const { code, lines } = await place.ask("rebuild", "--json")
  const differed = 1 + (before.outbox?.length ?? 0)
  const streams = before.streams?.length
  expect(lines).toEqual([{ type: "rebuilt", events: expect.any(Number), streams, differed, quarantined: 0 }])
  expect(code).toBe(0)
  expect(dumpCaches(place.home)).toEqual(before)
  expect((await place.ask("verify", "--json")).code).toBe(0)
  expect((await place.ask("rebuild")).text).toContain("nothing had been wrong")
})

it("is refused while a host lives, and changes nothing then", async () => {
  const place = await placeWithLog()
  tamper(place, "DELETE FROM outbox")
  const lock = lockHost(place.home, "at-work")
  onTestFinished(() => lock.release())
  const before = dumpCaches(place.home)
  const { code, lines } = await place.ask("rebuild", "--json")
  expect(lines).toEqual([
    { type: "error", code: "HOST_LIVE", message: expect.stringContaining("at-work"), retryable: false },
  ])
  expect(code).toBe(2)
  expect(dumpCaches(place.home)).toEqual(before)
  lock.release()
  expect((await place.ask("rebuild", "--json")).code).toBe(0)
})

it("does not take over a log that was changed, unless that is said", async () => {
  const place = await placeWithLog()
  tamper(place, "UPDATE events SET at = at + 1 WHERE position = 3; DELETE FROM outbox")
  const before = dumpCaches(place.home)
  const refused = await place.ask("rebuild", "--json")
  expect([refused.code, refused.lines.at(-1)?.code]).toEqual([1, "LOG_DAMAGED"])
  expect(refused.lines.at(-1)?.message).toContain("HASH_DIFFERS at 3")
  expect(dumpCaches(place.home)).toEqual(before)
  expect((await place.ask("rebuild", "--force", "--json")).code).toBe(0)
  expect(dumpCaches(place.home).outbox?.length).toBeGreaterThan(0)
})

it("sets aside a stream that cannot be followed, and says so", async () => {
  const place = await placeWithLog()
  tamper(place, "UPDATE events SET data = '{' WHERE stream = 'session:c' AND version = 3")
  const { code, text } = await place.ask("rebuild", "--force")
  expect(text).toContain("1 streams cannot be followed to their end")
  expect(code).toBe(0)
})

it("makes no folder where there is none", async () => {
  const place = makePlace()
  const { code, lines } = await place.ask("rebuild", "--json")
  expect([code, lines[0]?.code]).toEqual([2, "FOLDER_MISSING"])
  expect(existsSync(place.home)).toBe(false)
})

it("leaves every event as it was", async () => {
  const place = await placeWithLog()
  const { lines } = await place.ask("export", "--json")
  const tree = Object.keys(treeOf(place.home))
  await place.ask("rebuild", "--json")
  const after = (await place.ask("export", "--json")).lines
  expect(after.slice(0, -1)).toEqual(lines.slice(0, -1))
  expect(Object.keys(treeOf(place.home))).toEqual(tree)
})
