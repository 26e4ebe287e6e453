/** `verify` finds a text that is not there any more, or is not what was said; an erased session has none to find. */
import { expect, test } from "vitest"
import type { Store } from "../../store/index.ts"
import { launch, openHost, send, temporaryFolder, withFile } from "./support.ts"

const harmed = (folder: string, sql: string) => withFile(folder, db => db.prepare(sql).run())
async function spoken(store: Store, session: string, prompt: string) {
  await launch(store, session)
  await send(store, session, `${session}1`, prompt)
}

test.each([
  ["TEXT_MISSING", "DELETE FROM blobs"],
  ["TEXT_DIFFERS", "UPDATE blobs SET bytes = CAST('other words' AS BLOB)"],
  ["TEXT_UNNAMED", "DELETE FROM keys"],
])("%s is told with the session it is of", async (code, harm) => {
  const folder = temporaryFolder()
  const { store } = openHost(folder)
  await spoken(store, "a", "what was said")
  expect(store.verify().problems).toEqual([])
  harmed(folder, harm)
  const { ok, problems } = store.verify()
  expect(ok).toBe(false)
  expect(problems).toContainEqual(expect.objectContaining({ code, stream: "session:a" }))
})

test("a text that was moved to another session is not its own", async () => {
  const folder = temporaryFolder()
  const { store } = openHost(folder)
  await spoken(store, "a", "of a")
  await spoken(store, "b", "of b")
  harmed(folder, "UPDATE blobs SET session = 'b' WHERE session = 'a'")
  const found = store.verify().problems.map(problem => problem.code)
  expect(found).toContain("TEXT_MISSING")
  expect(found).toContain("TEXT_DIFFERS")
})

test("nothing is missing of a session that was erased", async () => {
  const folder = temporaryFolder()
  const { store } = openHost(folder)
  await spoken(store, "a", "what was said")
  store.erase("a")
  expect(store.verify().problems).toEqual([])
})
