/**
 * The table of the run folder, generated from the code: every reading that a host can make, judged by the real
 * machine, against the rows that the protocol's document promises.
 */
import { describe, expect, test } from "vitest"
import { foundRow, replay, run } from "../../machines/index.ts"
import { active, answerTo, history, readings, spawning } from "./readings.ts"

/** All answers of a row, each once. */
function generated(from: typeof spawning, terminal: boolean): string[] {
  return foundRow.options.map(row => {
    const answers = readings
      .map(reading => answerTo(from, reading, terminal))
      .filter(answer => answer.row === row)
    const texts = answers.map(({ state, asks, outcome }) =>
      [state, ...asks, ...(outcome === null ? [] : [outcome])].join(", "),
    )
    return `${row}: ${[...new Set(texts)].sort().join(" | ")}`
  })
}

const print = (title: string, rows: readonly string[]) =>
  console.log([`table, ${title} (${readings.length} readings):`, ...rows].join("\n  "))

describe("what is found, and what is done", () => {
  test("while the claim is not known", () => {
    const rows = generated(spawning, false)
    print("spawning", rows)
    expect(rows).toEqual([
      "notDelivered: spawning, launch",
      "claimLostWithPower: closing, end, outcomeUnknown",
      "tombstone: closed, failed NEVER_STARTED",
      "adopt: active",
      "elsewhere: active, wait",
      "endedByLauncher: closing, end, failed SPOOL_LIMIT | closing, end, failed UNATTENDED",
      "exited: closing, end, failed NO_RESULT",
      "neverStarted: closing, end, failed CWD_MISSING | closing, end, failed NEVER_STARTED",
      "vanished: closing, end, outcomeUnknown",
    ])
  })

  test("of a run that was active, where a claim can only be lost with its folder", () => {
    const rows = generated(active, false)
    print("active", rows)
    expect(rows).toEqual([
      "notDelivered: closing, end, outcomeUnknown",
      "claimLostWithPower: closing, end, outcomeUnknown",
      "tombstone: closing, end, outcomeUnknown",
      "adopt: active",
      "elsewhere: active, wait",
      "endedByLauncher: closing, end, failed SPOOL_LIMIT | closing, end, failed UNATTENDED",
      "exited: closing, end, failed NO_RESULT",
      "neverStarted: closing, end, failed CWD_MISSING | closing, end, failed NEVER_STARTED",
      "vanished: closing, end, outcomeUnknown",
    ])
  })

  test("I10 a terminal line settles the run, whatever the files say", () => {
    for (const from of [spawning, active])
      for (const reading of readings) {
        const { state, outcome } = answerTo(from, reading, true)
        if (state === "closing") expect(outcome).toBe("succeeded")
      }
  })

  test("I8 only a reading without any claim, in the same boot, starts a launcher again", () => {
    for (const reading of readings) {
      const starts = answerTo(spawning, reading, false).asks.includes("launch")
      expect(starts).toBe(reading.claim === "none" && reading.sameBoot)
    }
  })

  test("I8 what may have been started is not called safe to send again", () => {
    for (const reading of readings) {
      const safe = answerTo(spawning, reading, false).outcome === "failed NEVER_STARTED"
      const mayHaveStarted = reading.claim === "launcher" && (reading.agent || !reading.sameBoot)
      if (mayHaveStarted && reading.startFailure === null) expect(safe).toBe(false)
    }
  })

  test("one in another namespace or on another host is unknown after the wait", () => {
    const reading = readings.find(each => answerTo(spawning, each, false).row === "elsewhere")
    const about = { type: "found", ...reading }
    const steps = replay(run, [...history, about, { type: "timer", id: "elsewhere" }])
    expect(steps.at(-1)?.to).toBe("closing")
    expect(steps.at(-1)?.effects.map(({ kind }) => kind)).toEqual(["end"])
  })

  test("a run that was cancelled before its start is claimed by host first, and ends as interrupted", () => {
    const steps = replay(run, [...history, { type: "interrupt" }, { type: "tombstoned" }])
    expect(steps.map(({ to }) => to)).toEqual(["preparing", "spawning", "tombstoning", "closed"])
    expect(steps.at(-1)?.sends[0]?.input).toMatchObject({ outcome: "interrupted" })
  })
})
