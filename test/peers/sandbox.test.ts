/** What codex' own sandbox refuses, also where there is no network, and what a reader and the model are told of it. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { noticed, ofType } from "../cases/harness.ts"
import { calls, says } from "./model/decision.ts"
import { it } from "./place.ts"

const patch = "*** Begin Patch\n*** Add File: made.txt\n+hello\n*** End Patch\n"

describe("in the workspace only", () => {
  it("a command may write there, and neither outside nor into the repository's own folder", async ({
    place,
  }) => {
    const outside = place.at("outside.txt")
    const { events, result } = await place.one([
      calls("exec_command", { cmd: "echo a > inside.txt" }),
      calls("exec_command", { cmd: `echo a > ${outside}` }),
      calls("exec_command", { cmd: "echo a > .git/hooks/pre-commit" }),
      says("Two were refused."),
    ])
    expect(result).toMatchObject({ outcome: "succeeded", text: "Two were refused." })
    // Of a command that was refused codex tells an end or nothing at all; the model is told in any case.
    const [first, ...refused] = ofType(events, "tool.completed").map(event => event.status)
    expect(first).toBe("ok")
    expect(new Set([...refused, "failed"])).toEqual(new Set(["failed"]))
    expect(existsSync(join(place.cwd, "inside.txt"))).toBe(true)
    expect(existsSync(outside)).toBe(false)
    expect(existsSync(join(place.cwd, ".git", "hooks", "pre-commit"))).toBe(false)
    const results = place.model.asked
      .at(-1)
      ?.said.filter(({ by }) => by === "tool")
      .map(({ text }) => text)
    expect(results?.slice(1)).toEqual([
      expect.stringContaining("Read-only file system"),
      expect.stringContaining("Read-only file system"),
    ])
  })
})

describe("read-only", () => {
  it("neither a command nor a patch may write", async ({ place }) => {
    const { events, result } = await place.one(
      [
        calls("exec_command", { cmd: "echo a > made.txt" }),
        calls("apply_patch", patch),
        says("Nothing was written."),
      ],
      { sandbox: "read-only" },
    )
    expect(result).toMatchObject({
      outcome: "succeeded",
      text: "Nothing was written.",
      failure: null,
      deniedTools: 1,
    })
    expect(existsSync(join(place.cwd, "made.txt"))).toBe(false)
    // A command is refused by the kernel, and fails, which codex tells or not; a patch by codex itself, on stderr alone.
    expect(noticed(events)).toEqual(["toolsDenied"])
    const statuses = ofType(events, "tool.completed").map(event => event.status)
    expect([[], ["failed"]]).toContainEqual(statuses)
    expect(place.model.asked.at(-1)?.said.at(-1)?.text).toContain("blocked by read-only sandbox")
  })
})
