/** `export` and `verify --head`: whoever has the file can check it, and a log that lost its end is found out. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { toFile } from "../../../adapters/cli/export/destination.ts"
import { perform } from "../../../adapters/cli/main.ts"
import { definitions } from "../../../machines/index.ts"
import { makePlace, type Place } from "../harness.ts"
import { type Line, linesOf, ofType } from "../lines.ts"
import { append, placeWithLog, tamper } from "./support.ts"

type Row = Readonly<Record<string, unknown>>

/** The recipe, by what the file says of itself; nothing of the program is used. */
function recompute([about, ...lines]: readonly Line[]) {
  const columns = about?.columns as readonly string[] // an export's first line has them
  let prev = "0".repeat(64)
  let linked = true
  const events = ofType(lines, "event").map(line => line.row as Row)
  for (const row of events) {
    const text = JSON.stringify(columns.slice(0, -1).map(column => row[column]))
    linked &&= row.prev === prev && row.hash === createHash("sha256").update(text).digest("hex")
    prev = String(row.hash)
  }
  return { linked, events: events.length, hash: prev }
}

const fileOf = (place: Place, name = "log.ndjson") => join(place.root, name)
const exported = async (place: Place, ...words: readonly string[]) => {
  await place.ask("export", "--out", fileOf(place), ...words)
  return linesOf(readFileSync(fileOf(place), "utf8"))
}

describe("export", () => {
  it("holds the whole chain, which can be recomputed from the file alone", async () => {
    const place = await placeWithLog()
    const lines = await exported(place)
    const machines = Object.fromEntries(
      Object.values(definitions).map(({ name, version }) => [name, version]),
    )
    expect(lines[0]).toMatchObject({ type: "export", format: 1, machines, session: null })
    const { linked, events, hash } = recompute(lines)
    const log = (await place.ask("log", "--json")).lines
    expect(linked).toBe(true)
    expect(events).toBe(log.length)
    expect(lines.at(-1)).toEqual({
      ...{ type: "head", position: log.length, hash, events },
      exportedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    const changed = lines.map(line =>
      line.type === "event" ? { ...line, row: { ...(line.row as Row), at: 1 } } : line,
    )
    expect(recompute(changed).linked).toBe(false)
  })

  it("has no text of anybody in it", async () => {
    const place = await placeWithLog()
    await exported(place)
    const file = readFileSync(fileOf(place), "utf8")
    for (const text of ["first prompt", "second prompt", "first reply"]) expect(file).not.toContain(text)
  })

  it("reads page by page, up to the head that there was when it began", async () => {
    const place = await placeWithLog()
    const many = Array.from({ length: 125 }, () => [{ type: "pause" }, { type: "resume" }]).flat()
    const toggle = () =>
      append(place, async store => {
        store.claimSessions({ agents: ["rehearsal"], isHostDead: () => true })
        for (let times = 0; times < 5; times += 1)
          await store.submit({ stream: "session:a", inputs: many, actor: "user" })
      })
    await toggle()
    const lines: Line[] = []
    const output = {
      ...{ json: true, shared: false, gone: new AbortController().signal },
      record: (line: Line) => void lines.push(JSON.parse(JSON.stringify(line)) as Line),
      text: () => undefined,
      note: () => undefined,
      room: async () => undefined,
      // Somebody goes on writing between two pages.
      flushed: async () => (lines.length === 1 ? toggle() : undefined),
    }
    expect(await perform(["export", "--json", "--home", place.home], output)).toBe(0)
    const { linked, events, hash } = recompute(lines)
    expect([linked, events > 1_000]).toEqual([true, true])
    expect(lines.at(-1)).toMatchObject({ type: "head", position: events, hash, events })
    expect((await place.ask("log", "--json")).lines.length).toBeGreaterThan(events + 1_000)
  })

  it("of one session has its events only, each with its own hash, and the head of the log", async () => {
    const place = await placeWithLog()
    const whole = await exported(place)
    const { lines } = await place.ask("export", "b", "--json")
    const rows = ofType(lines, "event").map(line => line.row as Row)
    expect(new Set(rows.map(row => row.stream))).toEqual(
      new Set(["session:b", "turn:b1", "run:b1.1", "turn:b2"]),
    )
    const all = new Set(ofType(whole, "event").map(line => JSON.stringify(line.row)))
    expect(rows.every(row => all.has(JSON.stringify(row)))).toBe(true)
    expect(lines[0]).toMatchObject({ session: "b" })
    expect(lines.at(-1)).toMatchObject({ hash: whole.at(-1)?.hash, events: rows.length })
  })

  it("makes a file that is whole, private, and never written over unasked", async () => {
    const place = await placeWithLog()
    await exported(place)
    expect(statSync(fileOf(place)).mode & 0o777).toBe(0o600)
    const before = readFileSync(fileOf(place))
    const refused = await place.ask("export", "--out", fileOf(place), "--json")
    expect([refused.code, refused.lines.at(-1)?.code]).toEqual([2, "USAGE_OUT_EXISTS"])
    expect(readFileSync(fileOf(place))).toEqual(before)
    const forced = await place.ask("export", "b", "--out", fileOf(place), "--force", "--json")
    expect(forced.lines).toMatchObject([{ type: "exported", file: fileOf(place) }])
    expect(readFileSync(fileOf(place))).not.toEqual(before)
    expect(readdirSync(place.root).filter(name => name.includes("unfinished"))).toEqual([])
  })

  it("refuses a file before it begins, and one that somebody makes meanwhile", async () => {
    const place = makePlace()
    writeFileSync(fileOf(place), "somebody's")
    await expect(toFile(fileOf(place), false)).rejects.toMatchObject({ code: "USAGE_OUT_EXISTS" })
    const other = await toFile(fileOf(place, "other"), false)
    await other.write([{ type: "event" }])
    writeFileSync(fileOf(place, "other"), "somebody's")
    await expect(other.publish()).rejects.toMatchObject({ code: "USAGE_OUT_EXISTS" })
    await other.close()
    expect(readFileSync(fileOf(place, "other"), "utf8")).toBe("somebody's")
    expect(readdirSync(place.root).toSorted()).toEqual(["log.ndjson", "other", "worktree"])
  })

  it("says why a file cannot be written", async () => {
    const place = await placeWithLog()
    const { code, lines } = await place.ask("export", "--out", fileOf(place, "nowhere/x"), "--json")
    expect([code, lines.at(-1)?.code]).toEqual([2, "USAGE_OUT"])
    expect(lines.at(-1)?.message).toContain("ENOENT")
  })

  it("exports a damaged log as it is, and says that it is damaged", async () => {
    const place = await placeWithLog()
    tamper(place, "UPDATE events SET at = at + 1 WHERE position = 3")
    const { code, lines } = await place.ask("export", "--out", fileOf(place), "--json")
    expect([code, lines.at(-1)?.code]).toEqual([1, "LOG_DAMAGED"])
    expect(lines.at(-1)?.message).toContain("event 3")
    expect(recompute(linesOf(readFileSync(fileOf(place), "utf8"))).linked).toBe(false)
    const session = await place.ask("export", "a", "--json")
    expect([session.code, session.lines.at(-1)?.code]).toEqual([1, "LOG_DAMAGED"])
  })
})

describe("verify --head", () => {
  it("accepts every form in which a head is handed out", async () => {
    const place = await placeWithLog()
    const head = (await exported(place)).at(-1)
    const text = `${Number(head?.position)}:${String(head?.hash)}`
    const printed = await place.ask("verify")
    const json = (await place.ask("verify", "--json")).lines.map(line => `${JSON.stringify(line)}\n`).join("")
    const forms: Readonly<Record<string, string>> = {
      "the head alone": text,
      "the head and a newline": `${text}\n`,
      "an export's last line": `${JSON.stringify(head)}\n`,
      "position and hash": JSON.stringify({
        position: head?.position,
        hash: head?.hash,
        signedBy: "somebody",
      }),
      "what verify printed": printed.text,
      "what verify printed as JSON": json,
    }
    await append(place, async store => {
      store.claimSessions({ agents: ["rehearsal"], isHostDead: () => true })
      await store.submit({ stream: "session:a", inputs: [{ type: "pause" }], actor: "user" })
    })
    expect((await place.ask("verify", "--head", text)).text).toContain(
      `It holds the given head, position ${Number(head?.position)}.`,
    )
    expect((await place.ask("verify", "--head", fileOf(place), "--json")).code).toBe(0)
    for (const [name, form] of Object.entries(forms)) {
      writeFileSync(fileOf(place, "head"), form)
      expect((await place.ask("verify", "--head", fileOf(place, "head"), "--json")).code, name).toBe(0)
    }
  })

  it("finds that the end was cut off, or written anew", async () => {
    const place = await placeWithLog()
    await exported(place)
    tamper(place, "DELETE FROM events WHERE position > (SELECT max(position) - 2 FROM events)")
    const cut = await place.ask("verify", "--head", fileOf(place), "--json")
    expect([cut.code, cut.lines.map(line => line.code).includes("HEAD_MISSING")]).toEqual([1, true])

    const other = await placeWithLog()
    const { lines } = await other.ask("verify", "--head", `3:${"0".repeat(64)}`, "--json")
    expect(lines.map(line => line.code)).toContain("HEAD_DIFFERS")
  })

  it.each([
    ["nothing", ""],
    ["prose", "The head is somewhere else.\n"],
    ["another program's JSON", '{"position":"3","hash":"x"}\n'],
    ["half a hash", `3:${"0".repeat(40)}`],
  ])("refuses a file that holds %s", async (_, content) => {
    const place = await placeWithLog()
    writeFileSync(fileOf(place, "head"), content)
    const { code, lines } = await place.ask("verify", "--head", fileOf(place, "head"), "--json")
    expect(lines).toMatchObject([{ code: "USAGE_HEAD", message: expect.stringContaining("head") }])
    expect(code).toBe(2)
  })

  it("refuses an export that was cut off, and a file that is not there, and says so", async () => {
    const place = await placeWithLog()
    const lines = await exported(place)
    writeFileSync(
      fileOf(place, "cut"),
      lines
        .slice(0, 5)
        .map(line => `${JSON.stringify(line)}\n`)
        .join(""),
    )
    const cut = await place.ask("verify", "--head", fileOf(place, "cut"), "--json")
    expect(cut.lines.at(-1)?.message).toContain("ends before its head")
    const missing = await place.ask("verify", "--head", fileOf(place, "missing"), "--json")
    expect(missing.lines.at(-1)).toMatchObject({
      code: "USAGE_HEAD",
      message: expect.stringContaining("ENOENT"),
    })
    expect([cut.code, missing.code, existsSync(fileOf(place, "missing"))]).toEqual([2, 2, false])
  })
})
