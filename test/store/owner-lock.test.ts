import { fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { isHostDead, lockHost } from "../../store/index.ts"
import { command, launchInput, openHost, rejection, temporaryFolder } from "./support.ts"

async function startHost(folder: string, host: string) {
  const child = fork(new URL("./fixtures/host.ts", import.meta.url), [
    folder,
    host,
    JSON.stringify(launchInput("x")),
  ])
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child, "message")
  return child
}

test("I17: a host in another process lives until it is killed; then its sessions can be claimed", async () => {
  const folder = temporaryFolder()
  const { store } = openHost(folder, { host: "survivor" })
  const child = await startHost(folder, "victim")
  const isDead = (host: string) => isHostDead(folder, host)
  const claim = () => store.claimSessions({ agents: ["rehearsal"], isHostDead: isDead })
  for (let round = 0; round < 20; round += 1) expect(isDead("victim")).toBe(false)
  expect(claim()).toEqual([])
  expect(await rejection(store.submit(command("x", "pause")))).toMatchObject({
    code: "DEPOSED",
    owner: "victim",
  })

  child.kill("SIGKILL")
  await once(child, "exit")
  expect(isDead("victim")).toBe(true)
  expect(claim()).toMatchObject([{ session: "x", epoch: 2, previousHost: "victim" }])
  expect(await store.submit(command("x", "pause"))).toMatchObject({ version: 2, state: "paused" })
  expect(store.verify().ok).toBe(true)
})

test("an orderly end releases the sessions and removes the lock", async () => {
  const folder = temporaryFolder()
  const { store } = openHost(folder, { host: "survivor" })
  const child = await startHost(folder, "leaver")
  child.send("close")
  await once(child, "exit")
  expect(readdirSync(join(folder, "hosts"))).toEqual([])
  const claimed = store.claimSessions({ agents: ["rehearsal"], isHostDead: () => false })
  expect(claimed).toMatchObject([{ session: "x", previousHost: null }])
})

test("a host is never dead to its own process, and asking does not end its lock", async () => {
  const folder = temporaryFolder()
  openHost(folder)
  const lock = lockHost(folder, "self")
  expect(statSync(join(folder, "hosts", "self.lock")).mode & 0o777).toBe(0o600)
  expect(isHostDead(folder, "self")).toBe(false)
  expect(() => lockHost(folder, "self")).toThrow(expect.objectContaining({ code: "HOST_TAKEN" }))
  const child = await startHost(folder, "other")
  expect(isHostDead(folder, "other")).toBe(false)
  child.kill("SIGKILL")
  lock.release()
  lock.release()
  expect(existsSync(join(folder, "hosts", "self.lock"))).toBe(false)
  expect(isHostDead(folder, "self")).toBe(true)
})

test("a second copy of the library in this process is seen through the shared registry", () => {
  const folder = temporaryFolder()
  openHost(folder)
  const registry: unknown = Reflect.get(globalThis, Symbol.for("holdfast.hosts"))
  const held = registry instanceof Set ? registry : new Set()
  held.add(join(folder, "hosts", "copy.lock"))
  onTestFinished(() => void held.delete(join(folder, "hosts", "copy.lock")))
  expect(isHostDead(folder, "copy")).toBe(false)
  expect(() => lockHost(folder, "copy")).toThrow(expect.objectContaining({ code: "HOST_TAKEN" }))
})

test("a host id is a name and never a path", () => {
  const folder = temporaryFolder()
  openHost(folder)
  for (const id of ["../x", "", "a/b", ".hidden"]) expect(() => lockHost(folder, id), id).toThrow()
})
