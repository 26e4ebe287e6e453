/** What a person sees: the reply on stdout, everything around it on stderr, colours only on a terminal. */
import { PassThrough } from "node:stream"
import type { WriteStream } from "node:tty"
import { afterEach, expect, it, vi } from "vitest"
import { harmless, paletteOf } from "../../adapters/cli/colours.ts"
import { formatDuration, parseDuration } from "../../adapters/cli/duration.ts"
import { makePlace, rehearse } from "./harness.ts"

afterEach(() => void vi.unstubAllEnvs())

it("the reply is stdout's, one line per tool and the way on are stderr's", async () => {
  const place = makePlace()
  const words = rehearse("s", "Leave a note.").filter(word => word !== "--json")
  const ended = await place.run(words)
  expect(ended.code).toBe(0)
  expect(ended.stdout).toMatch(/^I'll write a note first.*would have\.\n$/)
  const lines = ended.stderr.trimEnd().split("\n")
  expect(lines[0]).toBe(`session s · rehearsal in ${place.worktree}`)
  expect(lines.slice(1, 4)).toEqual([
    expect.stringMatching(/^ {2}✓ Edit: rehearsal-notes\.md \d+\.\d s$/),
    expect.stringMatching(/^ {2}✓ Read: rehearsal-notes\.md \d+\.\d s$/),
    expect.stringMatching(/^ {2}✓ Shell: Count the notes \d+\.\d s$/),
  ])
  expect(lines[4]).toMatch(/^✓ Succeeded after .* · tokens: \d+ in, \d+ out/)
  expect(lines[5]).toBe('session s · go on: holdfast send s "…"')
  expect(ended.stdout + ended.stderr).not.toContain("\u001b")
})

it("refused tools and failures are said in plain words", async () => {
  const place = makePlace()
  const words = (session: string) => rehearse(session, "Push.").filter(word => word !== "--json")
  const denied = await place.run(words("s"), { scenario: "denied" })
  expect(denied.code).toBe(0)
  expect(denied.stderr).toContain("✗ denied Shell: git push")
  expect(denied.stderr).toContain("✗ failed Shell: false")
  const failed = await place.run(words("t"), { scenario: "not-logged-in" })
  expect(failed.code).toBe(5)
  expect(failed.stderr).toMatch(/✗ Failed after .*\n.+ \([A-Z_]+\)\n/)
})

it("a reader that goes away ends neither the turn nor the command", async () => {
  const place = makePlace()
  const host = place.start(rehearse("s", "Talk."), { scenario: "x6" })
  await host.line("turn")
  host.child.stdout?.destroy()
  expect((await host.ended).code).toBe(0)
  const log = await place.ask("log", "s", "--json")
  expect(log.lines.at(-1)).toMatchObject({ event: "turnSettled", to: "ready" })
})

it("an older Node is refused before anything is loaded that it cannot load", async () => {
  const place = makePlace()
  const pretend =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.11.1" } })'
  const ended = await place.run(["sessions"], { node: ["--import", `data:text/javascript,${pretend}`] })
  expect(ended).toMatchObject({ code: 2, stdout: "" })
  expect(ended.stderr).toMatch(/^holdfast: Holdfast needs Node 24 or newer; this is 20\.11\.1\./)
})

it("colours are for terminals, and only where nobody refused them", () => {
  const stream = (isTTY: boolean) =>
    Object.assign(new PassThrough(), { isTTY, hasColors: () => true }) as unknown as WriteStream // the two members that are asked
  expect(paletteOf(stream(false)).red("x")).toBe("x")
  vi.stubEnv("NO_COLOR", "1")
  expect(paletteOf(stream(true)).red("x")).toBe("x")
})

it("an agent's text cannot steer the terminal", () => {
  expect(harmless("a\u001b]0;title\u0007\r\n\tb\u009b2J")).toBe("a]0;title\n\tb2J")
})

it("durations are read and written as people do", () => {
  expect(["90", "90s", "5m", "1.5h", "500ms"].map(parseDuration)).toEqual([
    90_000, 90_000, 300_000, 5_400_000, 500,
  ])
  expect([1_234, 61_000, 3_720_000].map(formatDuration)).toEqual(["1.2 s", "1 min 1 s", "1 h 2 min"])
  for (const wrong of ["", "soon", "-1", "0", "1d", "9999h"]) expect(() => parseDuration(wrong)).toThrow()
})
