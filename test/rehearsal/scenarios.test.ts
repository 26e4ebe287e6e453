/** Every built-in scenario is played by the real program and ends, or hangs, as it declares. */
import { describe, expect, it } from "vitest"
import { findScenario, hostOnlyCases, scenarioNames } from "../../adapters/rehearsal/index.ts"
import { type Ended, makePlace, type Started, until, usualFlags } from "./harness.ts"

const fieldCases = [
  ...["01", "02", "03", "04", "05", "06", "08", "09", "11", "13", "14", "16", "17", "19", "20"].map(
    n => `st-${n}`,
  ),
  ...["01", "02", "03", "04", "06", "07", "09", "11", "12", "13", "15", "17"].map(n => `pl-${n}`),
  ...["01", "02", "04", "06", "07", "08"].map(n => `rs-${n}`),
  ...["01", "03", "05", "06"].map(n => `cu-${n}`),
  ...["02", "03", "04", "05"].map(n => `au-${n}`),
  ...["02", "04", "05", "07", "08"].map(n => `fb-${n}`),
  ...["1", "2", "4", "6", "7", "10"].map(n => `x${n}`),
]
const MIB = 1024 * 1024

describe("the built-in scenarios", () => {
  it("cover every field case that an agent can play, and say why not for the others", () => {
    const covered = [...scenarioNames, ...Object.keys(hostOnlyCases)]
    expect(fieldCases.filter(id => !covered.includes(id))).toEqual([])
    expect(Object.keys(hostOnlyCases).filter(id => scenarioNames.includes(id))).toEqual([])
  })

  it("each declare exactly one way to end", () => {
    const undeclared = scenarioNames.filter(name => {
      const { exit, signal, hangs } = findScenario(name)?.expect ?? {}
      return [exit, signal, hangs].filter(one => one !== undefined).length !== 1
    })
    expect(undeclared).toEqual([])
  })
})

/** Those that differ in nothing but their words are one shape, and are played once. */
const shapeOf = (name: string): string =>
  JSON.stringify(findScenario(name), (key, value: unknown) =>
    ["about", "text", "usage"].includes(key) ? "" : value,
  )
const once = [...new Map(scenarioNames.map(name => [shapeOf(name), name])).values()]

describe.concurrent("played", () => {
  it.for(once)("%s", async (name, { onTestFinished }) => {
    const declared = findScenario(name)?.expect
    const place = makePlace(onTestFinished)
    const started = place.start({
      scenario: name,
      args: [...usualFlags, ...(declared?.args ?? [])],
      env: declared?.env ?? {},
    })
    const stands = (): boolean =>
      place.journal().some(entry => entry.event === "waiting" && entry.for !== "stdin") ||
      started.stderrBytes() > MIB
    const ended = declared?.hangs === true ? await killedWhen(started, stands) : await started.ended
    if (declared?.hangs === true) expect(ended.signal).toBe("SIGKILL")
    else expect([ended.code, ended.signal]).toEqual([declared?.exit ?? null, declared?.signal ?? null])
    const streams = ended.stdout + (name.startsWith("st-19") ? "" : ended.stderr)
    expect(/\{"type":"result"/.test(streams)).toBe(declared?.result ?? false)
  })
})

const killedWhen = async (started: Started, stands: () => boolean): Promise<Ended> => {
  await until(stands)
  started.kill("SIGKILL")
  return started.ended
}
