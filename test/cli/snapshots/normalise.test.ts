/** What the normaliser names, and above all what it must leave alone: a real difference has to stay one. */
import { describe, expect, it } from "vitest"
import { normalise } from "./normalise.ts"

const turn = "01m8pwqw2fvn2gcwtpg212xzwa"
const other = "01m8pwqw2fvn2gcwtpg212xzwb"
const known = {
  folders: [
    ["/tmp/p", "<place>"],
    ["/tmp/p/deeper", "<deeper>"],
  ],
  ids: [[turn, "<turn 1>"]],
} as const
const named = (text: string) => normalise(text, known)

describe("it names", () => {
  it.each([
    [`turn ${turn} succeeded`, "turn <turn 1> succeeded"],
    [`{"run":"${turn}.2"}`, '{"run":"<turn 1>.2"}'],
    [`turn:${turn}       queued`, "turn:<turn 1>                         queued"],
    [`run:${turn}.1      found`, "run:<turn 1>.1                        found"],
    ["/tmp/p/state and /tmp/p/deeper/x", "<place>/state and <deeper>/x"],
    ["after 0.3 s, 12.0 s, 1 min 2 s, 1 h 2 min", "after <duration>, <duration>, <duration>, <duration>"],
    [`"at":"8:317:1:${turn}.1" --after 23:0:2:-`, '"at":"<at>" --after <at>'],
    ["    1  2026-11-30 18:51:09.766  session:s", "    1  <time>  session:s"],
    ['"time":1796064669766,"elapsedMs":12', '"time":"<time>","elapsedMs":"<ms>"'],
    [`head 24:${"0a".repeat(32)}`, "head 24:<hash>"],
    ["h01m8pwqw2fvn2gcwtpg212xzwa", "h<turn 1>"],
  ])("%s", (text, expected) => expect(named(text)).toBe(expected))

  it("equal ids equally, and others otherwise", () => {
    const [one, two] = ["4bc649bd-9af2-4f6d-9f2e-99ef7717dfd4", "5bc649bd-9af2-4f6d-9f2e-99ef7717dfd4"]
    expect(named(`${one} ${two} ${one}`)).toBe("<conversation 1> <conversation 2> <conversation 1>")
    expect(named(`"host":"h${other}"`)).toBe('"host":"<host 1>"')
  })
})

describe("a report of a launch", () => {
  const listed = (...rows: readonly (readonly [stream: string, event: string, state: string])[]) =>
    rows.map(([stream, event, state], index) => `    ${index + 6}  ${stream}  ${event} ${state}`).join("\n")
  const run = "run:<turn 1>.1"
  const usual = listed(
    [run, "prepared", "x"],
    [run, "launched", "spawning (without effect)"],
    [run, "found", "spawning → active"],
    ["turn:<turn 1>", "runActive", "x"],
    [run, "found", "active"],
  )

  it("that was logged late is told before what was found, with the numbers in order", () => {
    const late = listed(
      [run, "prepared", "x"],
      [run, "found", "spawning → active"],
      ["turn:<turn 1>", "runActive", "x"],
      [run, "launched", "active (without effect)"],
      [run, "found", "active"],
    )
    expect(named(late)).toBe(usual)
    expect(named(usual)).toBe(usual)
  })

  it("has its version moved along in JSON, and no other stream's", () => {
    const line = (position: number, stream: string, version: number, event: string, state: string) =>
      JSON.stringify({ type: "logged", position, stream, version, event, from: state, to: state })
    const late = [
      line(7, run, 3, "found", "active"),
      line(8, "turn:<turn 1>", 3, "runActive", "running"),
      line(9, run, 4, "launched", "active"),
    ]
    expect(named(late.join("\n")).split("\n")).toEqual([
      line(7, run, 3, "launched", "spawning"),
      line(8, run, 4, "found", "active"),
      line(9, "turn:<turn 1>", 3, "runActive", "running"),
    ])
  })

  it("of another run, or of another listing, stays where it is", () => {
    const other = listed([run, "found", "x"], ["run:<turn 2>.1", "launched", "x"])
    const apart = `${listed([run, "found", "x"])}\n\n${listed([run, "launched", "x (without effect)"])}`
    expect(named(other)).toBe(other)
    expect(named(apart)).toBe(apart)
  })
})

describe("it leaves alone", () => {
  it.each([
    ["an id that is not of this story", `turn ${other}`],
    ["a cursor of no run of this story", `8:317:1:${other}.1`],
    ["counts", "✓ 24 events in 3 streams; tokens: 104 in, 2,048 from the cache (3 times)"],
    ["positions and versions", '"position":7,"version":3,"createdPosition":1'],
    ["limits that were asked for", "--idle 500ms, default: 10m, 24h"],
    ["a time that is missing", '"time":null,"createdAt":0,"elapsedMs":null'],
    ["an elapsed time that is no whole number", '"elapsedMs":"12"'],
    ["codes and exit codes", "✗ Failed (EXIT_7) -- exit 75"],
    ["a hash that is cut short", "0a".repeat(31)],
    ["a hash in capitals", "0A".repeat(32)],
    ["blank lines, blanks at an end, and tabs", "\n\n a  \t\n"],
    ["a process id", '"left":[1234], process 1234'],
    ["a folder that is not ours", "/tmp/q/state"],
    ["a date without a time", "resets on 2026-11-30"],
  ])("%s", (_, text) => expect(named(text)).toBe(text))

  it("the number of lines, and every line that holds nothing to be named", () => {
    const text = `one\n\nturn ${turn}\n${turn} x\n`
    expect(named(text)).toBe("one\n\nturn <turn 1>\n<turn 1> x\n")
  })
})
