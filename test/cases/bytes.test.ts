/** Field cases ST, bytes: characters cut in the middle, lines of any length, floods. Memory stays bounded. */
import { statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import type { Step } from "../../adapters/rehearsal/index.ts"
import { it, noticed, ofType, type Place, streamed } from "./harness.ts"

const everyWidth = "a é 漢 😀 👩‍💻 한국어 ñ ￼ end"
const mebibyte = 1024 * 1024

/** Coarse on purpose: far above the noise of a collector, far below what an unbounded reader would take. */
const mostGrowthBytes = 40 * mebibyte

async function growth(act: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss()
  let most = before
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 10)
  await act().finally(() => clearInterval(look))
  return most - before
}

/** So that what every host needs once is not counted. */
async function warmUp(place: Place): Promise<void> {
  await place.play("st-17")
}

describe("bytes", () => {
  for (const scenario of ["st-03", "st-03-no-newline"])
    it(`ST-03 characters that arrive byte by byte arrive whole (${scenario})`, async ({ place }) => {
      const { events, result } = await place.play(scenario)
      expect(streamed(events)).toBe(everyWidth)
      expect(result.text).toBe(everyWidth)
    })

  it("ST-04 a replacement character that the agent wrote is passed on", async ({ place }) => {
    const { events, result } = await place.play("st-04")
    expect(streamed(events)).toBe("a \ufffd b")
    expect(result).toMatchObject({ outcome: "succeeded", text: "a \ufffd b" })
  })

  it("ST-05 a line of 8 MiB is read, and so is what follows", async ({ place }) => {
    const { events, result } = await place.play("st-05")
    expect(ofType(events, "tool.completed")).toMatchObject([{ name: "Edit", status: "ok" }])
    expect(noticed(events)).toEqual([])
    expect(result).toMatchObject({ outcome: "succeeded", text: "Still here." })
  })

  it("ST-05 over the limit the line leaves a marker, and its call is over all the same", async ({
    place,
  }) => {
    const { events, result } = await place.play("st-05", { maxLineBytes: mebibyte })
    expect(noticed(events)).toEqual(["lineTooLong"])
    expect(ofType(events, "tool.completed")).toMatchObject([{ name: "Edit" }])
    expect(result).toMatchObject({ outcome: "succeeded", text: "Still here." })
  })

  it("ST-05 a result over the limit settles the turn from what was streamed", async ({ place }) => {
    const said = "x".repeat(100_000)
    const steps: Step[] = [{ do: "init" }, { do: "text", text: said, chunks: 20 }, { do: "result" }]
    const { events, result } = await place.play({ turns: [{ steps }] }, { maxLineBytes: 32 * 1024 })
    expect(result).toMatchObject({ outcome: "succeeded", text: said })
    expect(noticed(events)).toContain("lineTooLong")
  })

  it("ST-06 64 MiB without a newline take no memory, and are a failure that says so", async ({ place }) => {
    await warmUp(place)
    const grown = await growth(async () => {
      const { events, result } = await place.play("st-06", { maxLineBytes: mebibyte })
      expect(result).toMatchObject({ outcome: "failed", failure: { code: "RESULT_MISSING" } })
      expect(noticed(events)).toContain("lineTooLong")
    })
    expect(grown).toBeLessThan(mostGrowthBytes)
  })

  it("ST-06 a junk line of 17 MiB is dropped with a notice, and the result after it counts", async ({
    place,
  }) => {
    await warmUp(place)
    const grown = await growth(async () => {
      const { events, result } = await place.play("st-06-line", { maxLineBytes: mebibyte })
      expect(noticed(events)).toEqual(["lineTooLong"])
      expect(result).toMatchObject({ outcome: "succeeded", text: "Still here." })
    })
    expect(grown).toBeLessThan(mostGrowthBytes)
  })

  it("ST-06 an endless stderr is ended by the spool's limit, without a byte of it in memory or log", async ({
    place,
  }) => {
    await warmUp(place)
    const noise: Step = {
      do: "stderr",
      text: "warning: nobody reads this $FILL:4000\n",
      endless: true,
      waitMs: 1,
    }
    place.texts.add("warning: nobody reads this")
    const grown = await growth(async () => {
      const { result, turn } = await place.play(
        { turns: [{ steps: [{ do: "init" }, { do: "text", text: "Listen." }, noise] }] },
        { pace: 1, limits: { maxSpoolBytes: mebibyte } },
      )
      expect(result).toMatchObject({
        outcome: "failed",
        text: "Listen.",
        failure: { kind: "limit", code: "SPOOL_LIMIT" },
      })
      expect(statSync(join(place.home, "runs", `${turn.id}.1`, "stderr")).size).toBeGreaterThan(mebibyte)
      await place.untilDead()
    })
    expect(grown).toBeLessThan(mostGrowthBytes)
  })

  it("ST-06 an endless stdout is ended the same way", async ({ place }) => {
    const noise: Step = { do: "flood", bytes: 64 * mebibyte }
    const { result } = await place.play(
      { turns: [{ steps: [{ do: "init" }, noise, { do: "hang" }] }] },
      { maxLineBytes: mebibyte, limits: { maxSpoolBytes: 8 * mebibyte } },
    )
    expect(result).toMatchObject({ outcome: "failed", failure: { code: "SPOOL_LIMIT" } })
  })
})
