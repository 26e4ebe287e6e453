import { expect, test } from "vitest"
import type { Store } from "../../store/index.ts"
import { command, launch, openHost, rejection, send, temporaryFolder } from "./support.ts"

async function pair() {
  const folder = temporaryFolder()
  const owner = openHost(folder)
  await launch(owner.store, "a")
  return { owner: owner.store, db: owner.db, other: openHost(folder, { host: "visitor" }).store }
}
const serve = (owner: Store) => Promise.allSettled(owner.takeInbox().map(one => owner.submit(one)))

test("I35: another process posts, the owner steps, and the receipt is the answer", async () => {
  const { owner, other } = await pair()
  const bytes = Buffer.from("INBOX-77 prompt")
  const digest = other.keyedDigest("a", bytes)
  const posted = {
    id: "c1",
    stream: "session:a",
    inputs: [{ type: "send", turn: "t1", prompt: digest }],
    texts: [{ session: "a", digest, bytes }],
  }
  expect(other.inboxAnswer("c1")).toEqual({ state: "unknown" })
  other.postCommand(posted)
  other.postCommand(posted)
  expect(other.inboxAnswer("c1")).toEqual({ state: "pending" })
  expect(other.takeInbox()).toEqual([])
  expect(owner.lastPosition()).toBe(1)
  await serve(owner)
  expect(other.inboxAnswer("c1")).toMatchObject({
    state: "accepted",
    receipt: { position: 5, state: "busy" },
  })
  expect(Buffer.from(owner.readText("a", digest) ?? []).toString()).toBe("INBOX-77 prompt")
  expect(owner.takeInbox()).toEqual([])
  other.postCommand(posted)
  expect(owner.takeInbox()).toEqual([])
  await expect(send(owner, "a", "t1", "INBOX-77 prompt")).rejects.toMatchObject({ code: "TURN_EXISTS" })
})

test("a rejection is the answer too, and frees the id", async () => {
  const { owner, other } = await pair()
  other.postCommand({ id: "c1", stream: "session:a", inputs: [{ type: "resume" }] })
  await serve(owner)
  expect(other.inboxAnswer("c1")).toMatchObject({ state: "rejected", code: "NOT_ACCEPTED", retryable: false })
  expect(owner.lastPosition()).toBe(1)
  other.postCommand({ id: "c1", stream: "session:a", inputs: [{ type: "pause" }] })
  await serve(owner)
  expect(other.inboxAnswer("c1")).toMatchObject({ state: "accepted", receipt: { state: "paused" } })
})

test("I5: the same id with other content is a conflict, while it waits and afterwards", async () => {
  const { owner, other } = await pair()
  const post = (type: string) => other.postCommand({ id: "c1", stream: "session:a", inputs: [{ type }] })
  post("pause")
  expect(() => post("archive")).toThrow(expect.objectContaining({ code: "COMMAND_CONFLICT" }))
  await serve(owner)
  expect(() => post("archive")).toThrow(expect.objectContaining({ code: "COMMAND_CONFLICT" }))
})

test("what waits when its owner dies is served by the next one", async () => {
  const { owner, other } = await pair()
  other.postCommand({ id: "c1", stream: "session:a", inputs: [{ type: "pause" }] })
  owner.close()
  other.claimSessions({ agents: ["rehearsal"], isHostDead: () => true })
  await serve(other)
  expect(other.inboxAnswer("c1")).toMatchObject({ state: "accepted" })
})

test("a deposed owner's refusal is no answer", async () => {
  const { owner, other } = await pair()
  other.postCommand({ id: "c1", stream: "session:a", inputs: [{ type: "pause" }] })
  const [taken] = owner.takeInbox()
  other.claimSessions({ agents: ["rehearsal"], isHostDead: () => true })
  expect(taken).toBeDefined()
  expect(await rejection(owner.submit(taken ?? command("a", "pause")))).toMatchObject({ code: "DEPOSED" })
  expect(other.inboxAnswer("c1")).toEqual({ state: "pending" })
})

test("a posted row that is damaged is answered, and does not hold up the others", async () => {
  const { owner, other, db } = await pair()
  other.postCommand({ id: "c1", stream: "session:a", inputs: [{ type: "pause" }] })
  other.postCommand({ id: "c2", stream: "session:a", inputs: [{ type: "pause" }] })
  db.exec("UPDATE inbox SET inputs = '[7' WHERE id = 'c1'")
  await serve(owner)
  expect(other.inboxAnswer("c1")).toMatchObject({ state: "rejected", code: "COMMAND_DAMAGED" })
  expect(other.inboxAnswer("c2")).toMatchObject({ state: "accepted" })
})

test("an unknown session takes no commands, and a waiting one only so many", async () => {
  const { other } = await pair()
  const post = (stream: string, id: string) => other.postCommand({ id, stream, inputs: [{ type: "pause" }] })
  expect(() => post("session:x", "c")).toThrow(expect.objectContaining({ code: "STREAM_UNKNOWN" }))
  for (let index = 0; index < 256; index += 1) post("session:a", `c${index}`)
  expect(() => post("session:a", "last")).toThrow(
    expect.objectContaining({ code: "LIMIT_EXCEEDED", retryable: true }),
  )
})
