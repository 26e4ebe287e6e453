/** `holdfast diagram` as a person and as a program meet it, on sessions that really ran. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { drawn } from "../../adapters/diagram/machines.ts"
import { drawingsFolder } from "../../adapters/diagram/shipped.ts"
import { makePlace, type Place, rehearse } from "../cli/harness.ts"
import { ofType } from "../cli/lines.ts"

const shipped = (name: string) => readFileSync(new URL(name, drawingsFolder), "utf8")
const drawing = z.object({ states: z.array(z.object({ name: z.string() })) })
const refused = async (place: Place, ...words: readonly string[]) => {
  const { code, lines } = await place.ask("diagram", ...words, "--json")
  return [code, ofType(lines, "error")[0]?.code]
}

describe("without a session", () => {
  it("a name is drawn as a table, as Mermaid, as the shipped drawing, and as one record", async () => {
    const place = makePlace()
    for (const name of drawn.keys()) {
      const { code, text, notes } = await place.ask("diagram", name)
      expect([code, notes]).toEqual([0, []])
      expect(Math.max(...text.split("\n").map(line => line.length))).toBeLessThanOrEqual(80)
      expect((await place.ask("diagram", name, "--mermaid")).text).toBe(shipped(`${name}.mmd`))
      expect((await place.ask("diagram", name, "--svg")).text).toBe(shipped(`${name}.svg`))
      const { lines } = await place.ask("diagram", name, "--json")
      expect(lines).toMatchObject([{ type: "diagram", machine: name, marked: null }])
      const { states } = drawing.parse(lines[0])
      expect(states.length).toBeGreaterThan(1)
      for (const state of states) expect(text).toMatch(new RegExp(`^  ${state.name}(  |$)`, "m"))
    }
    const run = await place.run(["diagram", "run"])
    expect(run).toMatchObject({ code: 0, stderr: "" })
    expect(run.stdout).not.toContain("\u001b")
    expect(run.stdout).toMatch(/^ {4}found \[row adopt\] +→ active +report active$/m)
    const svg = await place.run(["diagram", "run", "--svg"])
    expect(svg).toMatchObject({ code: 0, stderr: "", stdout: shipped("run.svg") })
  })

  it("no name: one line each, and no state folder is needed or made", async () => {
    const place = makePlace()
    const { code, text } = await place.ask("diagram")
    expect(code).toBe(0)
    expect(
      text
        .trim()
        .split("\n")
        .map(line => line.split(" ")[0]),
    ).toEqual([...drawn.keys()])
    const { lines } = await place.ask("diagram", "--json")
    expect(lines.map(({ type, machine }) => [type, machine])).toEqual(
      [...drawn.keys()].map(name => ["machine", name]),
    )
    expect(existsSync(place.home)).toBe(false)
  })
})

describe("with a session", () => {
  it("every position says what the log says, whatever other sessions did in between", async () => {
    const place = makePlace()
    await place.run(rehearse("s", "hi"), { scenario: "st-17" })
    await place.run(rehearse("other", "hi"), { scenario: "st-17" })
    await place.run(["send", "s", "again", "--json"], { scenario: "st-17" })
    const log = (await place.ask("log", "s", "--json")).lines
    const positions = log.map(({ position }) => Number(position))
    expect(positions.at(-1)).toBeGreaterThan(positions.length) // the other session lies between
    const streams = new Set<unknown>()
    for (const { position, stream, to } of log) {
      const machine = String(stream).split(":")[0] ?? ""
      const words = ["diagram", machine, "--session", "s", "--at", String(position), "--json"]
      const { code, lines } = await place.ask(...words)
      // A turn is the one at work only from its start on; before that the mark is still on the last one.
      const waits = machine === "turn" && to === "queued" && streams.size > 1
      const states = [`state_${machine}_${String(to)}`]
      if (!waits)
        expect(lines).toMatchObject([{ marked: { session: "s", at: position, stream, state: to, states } }])
      expect(code).toBe(0)
      if (machine !== "session") streams.add(stream)
    }
    expect(streams.size).toBe(4)
  })

  it("what is finished is marked in every form", async () => {
    const place = makePlace()
    await place.run(rehearse("s", "hi"), { scenario: "st-17" })
    for (const [machine, state] of [
      ["session", "ready"],
      ["turn", "succeeded"],
      ["run", "closed"],
    ] as const) {
      const words = ["diagram", machine, "--session", "s"]
      const { text } = await place.ask(...words)
      const marked = text.split("\n").filter(line => line.startsWith("▶"))
      expect(marked).toHaveLength(1)
      expect(marked[0]).toMatch(new RegExp(`^▶ ${state} .*session s is here since \\d+ \\(\\w+\\)$`))
      const { text: svg } = await place.ask(...words, "--svg")
      expect(svg).toBe(
        shipped(`${machine}.svg`).replace(
          `<g id="state_${machine}_${state}" class="`,
          `<g id="state_${machine}_${state}" class="here `,
        ),
      )
      expect(svg).not.toBe(shipped(`${machine}.svg`))
      const { text: mermaid } = await place.ask(...words, "--mermaid")
      expect(mermaid).toContain(`\n  class state_${machine}_${state} here\n`)
    }
    const { text } = await place.ask("diagram", "--session", "s")
    expect(text).toMatch(/^session +ready .*\nturn +succeeded .*\nrun +closed .*\n$/)
  })
})

describe("what cannot be marked is said to be so", () => {
  it("exit codes and names", async () => {
    const place = makePlace()
    await place.run(rehearse("s", "hi"), { scenario: "st-17" })
    const ends = (await place.ask("log", "s", "--json")).lines.length
    expect(await refused(place, "lease")).toEqual([2, "USAGE_MACHINE"])
    const { notes } = await place.ask("diagram", "lease")
    expect(notes.join()).toContain([...drawn.keys()].join(", "))
    expect((await place.ask("diagram", "--svg")).notes.join()).toContain("USAGE_MACHINE")
    expect(await refused(place, "run", "--at", "3")).toEqual([2, "USAGE_AT"])
    expect(await refused(place, "run", "--session", "s", "--at", "x")).toEqual([2, "USAGE"])
    expect(await refused(place, "run", "--session", "s", "--at", String(ends))).toEqual([0, undefined])
    expect(await refused(place, "run", "--session", "s", "--at", String(ends + 1))).toEqual([
      2,
      "USAGE_POSITION",
    ])
    expect(await refused(place, "run", "--session", "s", "--at", "0")).toEqual([2, "USAGE_NOT_BEGUN"])
    expect(await refused(place, "turn", "--session", "s", "--at", "1")).toEqual([2, "USAGE_NOT_BEGUN"])
    expect(await refused(place, "session", "--session", "s", "--at", "1")).toEqual([0, undefined])
    expect(await refused(place, "folder", "--session", "s")).toEqual([2, "USAGE_MACHINE_NOT_LOGGED"])
    expect(await refused(place, "run", "--session", "nobody")).toEqual([4, "SESSION_UNKNOWN"])
    expect(await refused(place, "run", "--svg")).toEqual([2, "USAGE"])
  })

  it("a damaged event, or a state that is not in the drawing", async () => {
    const place = makePlace()
    await place.run(rehearse("s", "hi"), { scenario: "st-17" })
    const db = new Database(join(place.home, "log.sqlite"))
    db.exec("UPDATE events SET to_state = 'gone' WHERE position = (SELECT MAX(position) FROM events)")
    db.exec("UPDATE events SET type = 'nonsense' WHERE stream LIKE 'run:%' AND version = 2")
    db.close()
    expect(await refused(place, "session", "--session", "s")).toEqual([2, "USAGE_STATE_NOT_DRAWN"])
    expect(await refused(place, "run", "--session", "s")).toEqual([1, "STREAM_QUARANTINED"])
    const { text } = await place.ask("diagram", "--session", "s")
    expect(text).toContain("cannot be read (UNKNOWN_TYPE)")
  })
})
