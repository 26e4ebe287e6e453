/** The run folder by itself: which publication is possible after which, and what a power cut may leave. */
import { describe, expect, test } from "vitest"
import { type FolderContext, folderContext, seenBy } from "../../machines/folder.ts"
import { folder, type Input, type ProcessIdentity, replay, rowOf, step } from "../../machines/index.ts"

const who = (pid: number): ProcessIdentity => ({ pid, start: "1", boot: "b", namespace: "n", host: "h" })
const prepared = { type: "prepared", owner: who(1) }
const claimed = { type: "claimedByLauncher", launcher: who(2) }
const started = { type: "agentStarted", agent: who(3) }
const exited = { type: "exitPublished", status: 0, failure: null }
const died = { type: "agentDied" }

const at = (...inputs: readonly Input[]) => replay(folder, inputs).at(-1)?.snapshot ?? null
const contextAt = (...inputs: readonly Input[]): FolderContext => folderContext.parse(at(...inputs)?.context)
function refusal(before: readonly Input[], input: Input): string | null {
  const result = step(folder, at(...before), input)
  return result.rejected ? result.code : null
}
const rowAt = (sameBoot: boolean, ...inputs: readonly Input[]) =>
  rowOf(seenBy(contextAt(...inputs), { sameBoot, here: true }))

describe("publications", () => {
  test("I8 a second claim is rejected, whoever makes it", () => {
    for (const first of [claimed, { type: "claimedByHost" }])
      for (const second of [{ ...claimed, launcher: who(9) }, { type: "claimedByHost" }])
        expect(refusal([prepared, first], second)).toBe("CLAIMED")
  })

  test("I8 a tombstone keeps every launcher out, also before there is a prompt", () => {
    expect(refusal([{ type: "claimedByHost" }], claimed)).toBe("CLAIMED")
    expect(refusal([prepared, { type: "claimedByHost" }], started)).toBe("TOMBSTONED")
  })

  test("nothing is claimed without a prompt, and nothing is started without a claim", () => {
    expect(refusal([], claimed)).toBe("NOT_PREPARED")
    expect(refusal([prepared], started)).toBe("NOT_CLAIMED")
    expect(refusal([prepared, claimed, started], started)).toBe("STARTED")
  })

  test("I10 an exit comes after the agent's end, by a launcher that lives, once", () => {
    expect(refusal([prepared, claimed, started], exited)).toBe("NOT_REAPED")
    expect(refusal([prepared, claimed, started, died, { type: "launcherDied" }], exited)).toBe("NOT_REAPED")
    expect(refusal([prepared, claimed, started, died], exited)).toBeNull()
    expect(refusal([prepared, claimed, started, died, exited], exited)).toBe("OVER")
  })

  test("the shell that becomes the agent goes on without its launcher", () => {
    expect(refusal([prepared, claimed, { type: "launcherDied" }], started)).toBeNull()
  })

  test("a program that could not be executed takes its file back", () => {
    expect(
      rowAt(true, prepared, claimed, started, { type: "agentTakenBack" }, { ...exited, failure: "exec" }),
    ).toBe("neverStarted")
  })

  test("an ended run says so before its exit does", () => {
    const ended = { type: "endedPublished", reason: "unattended" }
    expect(rowAt(true, prepared, claimed, started, ended, died, exited)).toBe("endedByLauncher")
  })
})

describe("a power cut", () => {
  const powerLost = (...lost: readonly string[]) => ({ type: "powerLost", lost })

  test.each([
    [["claim"], "claimLostWithPower"],
    [["agent"], "vanished"],
    [[], "vanished"],
    [["claim", "agent"], "claimLostWithPower"],
  ])("that takes %j is read as %s", (lost, row) => {
    expect(rowAt(false, prepared, claimed, started, powerLost(...lost))).toBe(row)
  })

  test("kills everybody, and opens a folder whose claim it took", () => {
    const after = contextAt(prepared, claimed, started, powerLost("claim"))
    expect(after).toMatchObject({ claim: "none", launcher: null, launcherAlive: false, agentAlive: false })
    expect(refusal([prepared, claimed, started, powerLost("claim")], claimed)).toBeNull()
    expect(refusal([prepared, claimed, powerLost()], claimed)).toBe("CLAIMED")
  })
})
