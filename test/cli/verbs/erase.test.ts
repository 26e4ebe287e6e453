/** `erase`: nothing of what was said is left in any file, whatever agent said it; what must not be erased is not. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { expect, it, onTestFinished, vi } from "vitest"
import { lockHost } from "../../../store/index.ts"
import { finishRun, launch, openHost, send, startRun } from "../../store/support.ts"
import { makePlace, type Place } from "../harness.ts"
import { append, placeWithLog } from "./support.ts"

/** Ids of their own, since other texts of the session are its cwd and names. */
const secret = {
  prompt: "the-prompt-that-was-said",
  reply: "the-reply-that-was-given",
  raw: "the-raw-output",
}

/** One finished turn of an agent that nobody here knows, with its run's folder and the agent's settings. */
async function placeWithTalk(agent = "somebody-elses-agent"): Promise<Place> {
  const place = makePlace()
  await append(place, async store => {
    await launch(store, "s", agent)
    await send(store, "s", "s1", secret.prompt)
    await startRun(store, "s1")
    await finishRun(store, "s", "s1", secret.reply)
  })
  const other = openHost(place.home, { host: "host-2" }).store
  await launch(other, "t", agent)
  other.close()
  for (const folder of [join(place.home, "runs", "s1.1"), join(place.home, "agents", "s")]) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "stdout"), secret.raw)
  }
  return place
}

/** Which of the texts are found in any file of the state folder. */
function foundIn({ home }: Place): readonly string[] {
  const files = readdirSync(home, { recursive: true, encoding: "utf8" }).map(name => join(home, name))
  const bytes = files.filter(path => statSync(path).isFile()).map(path => readFileSync(path, "latin1"))
  return Object.values(secret).filter(text => bytes.some(content => content.includes(text)))
}

it("takes every text away, of an agent that is not even known here; the chain stays whole", async () => {
  const place = await placeWithTalk()
  expect(foundIn(place)).toEqual(Object.values(secret))
  const head = (await place.ask("export", "--json")).lines.at(-1)
  const { code, lines } = await place.ask("erase", "s", "--yes", "--json")
  expect(lines).toEqual([{ type: "erased", session: "s", texts: 2, complete: true }])
  expect(code).toBe(0)
  expect(foundIn(place)).toEqual([])
  expect(
    (await place.ask("verify", "--json", "--head", `${Number(head?.position)}:${String(head?.hash)}`)).code,
  ).toBe(0)
  // Nothing was appended; the session is free for the next host, and one that another left is as it was.
  expect((await place.ask("export", "--json")).lines.at(-1)).toMatchObject({ hash: head?.hash })
  const { store } = openHost(place.home)
  expect(["s", "t"].map(id => store.ownerOf(id)?.host ?? null)).toEqual([null, "host-2"])
  expect((await place.ask("erase", "s", "--yes", "--json")).lines).toMatchObject([
    { texts: 0, complete: true },
  ])
})

it("needs no key and no program of the agent", async () => {
  vi.stubEnv("CURSOR_API_KEY", "")
  vi.stubEnv("HOLDFAST_CURSOR_BIN", "/nowhere/cursor-agent")
  onTestFinished(() => void vi.unstubAllEnvs())
  const place = await placeWithTalk("cursor")
  expect((await place.ask("erase", "s", "--yes", "--json")).code).toBe(0)
  expect(foundIn(place)).toEqual([])
})

it("is refused while a turn runs, and while a live host owns the session", async () => {
  const place = await placeWithLog()
  const busy = await place.ask("erase", "b", "--yes", "--json")
  expect([busy.code, busy.lines.at(-1)?.code]).toEqual([2, "SESSION_BUSY"])
  const lock = lockHost(place.home, "host-1") // the one that wrote the log
  onTestFinished(() => lock.release())
  const owned = await place.ask("erase", "a", "--yes", "--json")
  expect([owned.code, owned.lines.at(-1)?.code]).toEqual([2, "SESSION_ELSEWHERE"])
  const { store } = openHost(place.home)
  const texts = ["first prompt", "first reply"].map(text => store.keyedDigest("a", text))
  expect(texts.map(digest => store.readText("a", digest))).not.toContain(null)
  expect(store.ownerOf("a")?.host).toBe("host-1")
})

it("says when traces are left, because somebody reads old pages, and is whole the next time", async () => {
  const place = await placeWithTalk()
  const reader = new Database(join(place.home, "log.sqlite"), { readonly: true })
  onTestFinished(() => void reader.close())
  reader.exec("BEGIN")
  reader.prepare("SELECT count(*) FROM events").get()
  const { code, lines } = await place.ask("erase", "s", "--yes", "--json")
  expect(lines).toMatchObject([{ type: "erased", complete: false }])
  expect(code).toBe(1)
  expect((await place.ask("erase", "s", "--yes")).notes.join()).toContain("then erase again")
  reader.exec("ROLLBACK")
  expect((await place.ask("erase", "s", "--yes", "--json")).lines).toMatchObject([{ complete: true }])
  expect(foundIn(place)).toEqual([])
})

it("asks, and needs --yes where nobody can be asked", async () => {
  const place = await placeWithTalk()
  for (const words of [[], ["--json"]]) {
    const ended = await place.run(["erase", "s", ...words])
    expect([ended.code, `${ended.stdout}${ended.stderr}`]).toEqual([
      2,
      expect.stringContaining("USAGE_CONFIRM"),
    ])
  }
  expect(foundIn(place)).toEqual(Object.values(secret))
})

it("knows no session that is not there", async () => {
  const place = await placeWithTalk()
  const { code, lines } = await place.ask("erase", "nobody", "--yes", "--json")
  expect([code, lines.at(-1)?.code]).toEqual([4, "SESSION_UNKNOWN"])
})
