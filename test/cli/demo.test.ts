/** The demo, as a person's first minute and as a check of a fresh clone: its last line is a promise. */
import { existsSync } from "node:fs"
import { expect, it } from "vitest"
import { makePlace } from "./harness.ts"
import { ofType } from "./lines.ts"

it("ends with the line that scripts look for, having checked every claim", async () => {
  const place = makePlace()
  const ended = await place.run(["demo", "--json", "--clean"])
  const lines = ended.lines()
  const checks = ofType(lines, "demo.check")
  expect(checks.filter(check => check.ok !== true)).toEqual([])
  expect(checks.length).toBeGreaterThan(10)
  const last = lines.at(-1)
  expect(last).toEqual({
    type: "demo.done",
    ok: true,
    adopted: true,
    turns: 2,
    events: expect.any(Number),
    chain: "ok",
  })
  expect(last?.events).toBeGreaterThan(40)
  expect(ended).toMatchObject({ code: 0, stderr: "" })
  expect(existsSync(String(ofType(lines, "demo.started")[0]?.folder))).toBe(false)
})
