import { createHmac, hash } from "node:crypto"
import { expect, test } from "vitest"
import {
  filesWith,
  finishRun,
  launch,
  openHost,
  rejection,
  send,
  startRun,
  temporaryFolder,
  withFile,
} from "./support.ts"

const prompt = "PROMPT-7f3a please fix the failing test"
const reply = "REPLY-91bc it is fixed"

async function finished(folder: string) {
  const host = openHost(folder)
  await launch(host.store, "a")
  await launch(host.store, "b")
  await send(host.store, "a", "a1", prompt)
  await startRun(host.store, "a1")
  await finishRun(host.store, "a", "a1", reply)
  await send(host.store, "b", "b1", "OTHER-44 text")
  return host
}

test("I4: no text, and no bare hash of one, is in any table but the texts' own", async () => {
  const folder = temporaryFolder()
  const { db } = await finished(folder)
  const tables = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'blobs'")
    .all()
  const everything = JSON.stringify(tables.map(({ name }) => db.prepare(`SELECT * FROM ${name}`).all()))
  expect(tables.length).toBeGreaterThan(8)
  for (const text of [prompt, reply]) {
    expect(everything).not.toContain(text.slice(0, 11))
    expect(everything).not.toContain(hash("sha256", text))
  }
  // The fault that this would find: a text that got into an event's data.
  db.prepare("UPDATE events SET data = ? WHERE position = 1").run(JSON.stringify({ prompt }))
  expect(JSON.stringify(db.prepare("SELECT * FROM events").all())).toContain(prompt.slice(0, 11))
})

test("a text is read back by its keyed digest, which differs between sessions", async () => {
  const { store } = await finished(temporaryFolder())
  const digest = store.keyedDigest("a", prompt)
  expect(Buffer.from(store.readText("a", digest) ?? []).toString()).toBe(prompt)
  expect(store.keyedDigest("b", prompt)).not.toBe(digest)
  expect(store.readText("b", digest)).toBeNull()
  expect(store.turn("a1")).toMatchObject({
    outcome: "succeeded",
    reply: { digest: store.keyedDigest("a", reply), bytes: reply.length },
    usage: { inputTokens: 7, outputTokens: null, cacheReadTokens: 0, cacheWriteTokens: null },
  })
})

test("I4: after an erasure nothing of the texts or the key is left in any file, and the chain is whole", async () => {
  const folder = temporaryFolder()
  const { store, db } = await finished(folder)
  const key = db.prepare<[], { key: Buffer }>("SELECT key FROM keys WHERE session = 'a'").get()?.key
  const digest = store.keyedDigest("a", prompt)
  expect(filesWith(folder, "PROMPT-7f3a")).not.toEqual([])
  expect(filesWith(folder, key ?? "")).not.toEqual([])
  expect(store.erase("a")).toEqual({ texts: 2, complete: true })
  expect(filesWith(folder, "PROMPT-7f3a")).toEqual([])
  expect(filesWith(folder, "REPLY-91bc")).toEqual([])
  expect(filesWith(folder, key ?? "")).toEqual([])
  expect(filesWith(folder, "OTHER-44")).not.toEqual([])

  expect(store.verify().ok).toBe(true)
  expect(store.readText("a", digest)).toBeNull()
  expect(() => store.keyedDigest("a", prompt)).toThrow(expect.objectContaining({ code: "SESSION_ERASED" }))
  expect(await rejection(Promise.resolve().then(() => send(store, "a", "a2", "more")))).toMatchObject({
    code: "SESSION_ERASED",
  })
  expect(
    createHmac("sha256", key ?? "")
      .update(prompt)
      .digest("hex"),
  ).toBe(digest)
})

test("I4: an erasure that a reader holds up says so, and completes when asked again", async () => {
  const folder = temporaryFolder()
  const { store } = await finished(folder)
  withFile(folder, reader => {
    reader.exec("BEGIN")
    reader.prepare("SELECT count(*) FROM events").get()
    expect(store.erase("a")).toMatchObject({ texts: 2, complete: false })
    expect(filesWith(folder, "PROMPT-7f3a")).not.toEqual([])
  })
  expect(store.erase("a")).toEqual({ texts: 0, complete: true })
  expect(filesWith(folder, "PROMPT-7f3a")).toEqual([])
})

test("only the owner erases what somebody owns", async () => {
  const folder = temporaryFolder()
  const { store } = await finished(folder)
  const other = openHost(folder, { host: "host-2" }).store
  expect(() => other.erase("a")).toThrow(expect.objectContaining({ code: "DEPOSED" }))
  store.releaseSessions()
  expect(other.erase("a")).toMatchObject({ texts: 2 })
})
