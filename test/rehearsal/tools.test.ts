/** Tools that act for real: what they leave in the workspace, and what they must not touch. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { JsonObject, Step } from "../../adapters/rehearsal/index.ts"
import { type Ended, makePlace, ofType, turns, usualFlags } from "./harness.ts"

const real = (kind: string, args: JsonObject, more: Partial<Step> = {}): Step =>
  ({ do: "tool", kind, args, real: true, ...more }) as Step
const results = (ended: Ended): readonly unknown[] =>
  ofType(ended.events, "tool_call")
    .filter(event => event.subtype === "completed")
    .map(event => Object.values(event.tool_call as object).find(value => value?.result !== undefined)?.result)

describe("a real tool", () => {
  it("writes, edits, reads, deletes and runs", async () => {
    const place = makePlace()
    writeFileSync(place.file("gone.txt"), "bye")
    const ended = await place.run({
      scenario: turns(
        real("write", { path: "sub/a.txt", fileText: "one\n" }),
        real("edit", { path: "sub/a.txt", strReplace: { oldText: "one", newText: "$& two" } }),
        real("edit", { path: "sub/a.txt" }, { append: "three\n" }),
        real("read", { path: "sub/a.txt" }),
        real("delete", { path: "gone.txt" }),
        real("shell", { command: "cat sub/a.txt | wc -l; echo $CURSOR_AGENT; exit 3" }),
        { do: "result" },
      ),
    })
    expect(readFileSync(place.file("sub/a.txt"), "utf8")).toBe("$& two\nthree\n")
    expect(existsSync(place.file("gone.txt"))).toBe(false)
    expect(results(ended)).toMatchObject([
      { success: { linesCreated: 1 } },
      { success: { beforeFullFileContent: "one\n", afterFullFileContent: "$& two\n" } },
      { success: { linesAdded: 1, linesRemoved: 0 } },
      { success: { content: "$& two\nthree\n", totalLines: 2 } },
      { success: { prevContent: "bye" } },
      { failure: { exitCode: 3, stdout: expect.stringMatching(/^\s*2\n1\n$/) }, isBackground: false },
    ])
    const phases = place
      .journal()
      .flatMap(entry => (entry.event === "tool" ? [`${entry.kind} ${entry.phase}`] : []))
    expect(phases).toHaveLength(12)
    expect(phases.slice(-2)).toEqual(["shell begun", "shell done"])
  })

  it("touches nothing outside the workspace", async () => {
    const place = makePlace()
    const ended = await place.run({
      scenario: turns(real("write", { path: "../x", fileText: "" }), { do: "result" }),
    })
    expect(results(ended)).toEqual([{ error: { errorMessage: "Path is outside the workspace: ../x" } }])
    expect(existsSync(place.file("../x"))).toBe(false)
  })

  it("needs --force for a shell, and changes nothing in plan mode", async () => {
    const place = makePlace()
    const scenario = turns(
      real("shell", { command: "touch ran" }),
      real("edit", { path: "edited" }, { append: "x" }),
      { do: "result" },
    )
    const careful = await place.run({ scenario, args: usualFlags.filter(flag => flag !== "--force") })
    expect(results(careful)).toMatchObject([{ rejected: { command: "touch ran" } }, { success: {} }])
    const planning = await place.run({ scenario, args: [...usualFlags, "--mode", "plan"] })
    expect(results(planning)).toMatchObject([{ rejected: { isReadonly: true } }, { rejected: {} }])
    expect(existsSync(place.file("ran"))).toBe(false)
  })

  it("works in the workspace that was named, not where it was started", async () => {
    const [here, there] = [makePlace(), makePlace()]
    const args = [...usualFlags, "--workspace", there.cwd]
    await here.run({ scenario: turns(real("edit", { path: "a" }, { append: "x" }), { do: "result" }), args })
    expect([existsSync(here.file("a")), existsSync(there.file("a"))]).toEqual([false, true])
  })
})

describe("the demo", () => {
  it("does what it says, and says what it remembers", async () => {
    const place = makePlace()
    const first = await place.run({ prompt: "plant a tree" })
    const session = String(first.events[0]?.session_id)
    const second = await place.run({ prompt: "water it", args: [...usualFlags, "--resume", session] })
    expect(readFileSync(place.file("rehearsal-notes.md"), "utf8")).toBe(
      "- turn 1: plant a tree\n- turn 2: water it\n",
    )
    expect(second.events.at(-1)?.result).toContain(
      'This is turn 2 of this chat; you said before: "plant a tree".',
    )
    expect(ofType(first.events, "assistant").length).toBeGreaterThan(40)
  })
})
