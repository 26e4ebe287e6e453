/** `HOLDFAST_LOG`: what is said when nothing is asked for, when a word is misspelt, and when silence is wanted. */
import { Effect, References } from "effect"
import { describe, expect, it } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { askedLevel } from "../../effects/host/log-level.ts"
import { narrate } from "../../effects/host/narrator.ts"
import { Log } from "../../effects/log.ts"
import type { Store } from "../../store/index.ts"
import { Scene } from "./support.ts"

const good: Scenario = {
  turns: [{ steps: [{ do: "init" }, { do: "user" }, { do: "text", text: "Done." }, { do: "result" }] }],
}

describe("HOLDFAST_LOG", () => {
  it("at the default level a good turn prints nothing", async () => {
    const { stdout, stderr } = await new Scene().play(good, null, { prompts: ["a good one"] })
    expect(stdout()).toContain('"outcome":"succeeded"')
    expect(stderr()).toBe("")
  })

  it("at info the turning points are told, and nothing else", async () => {
    const { lines } = await new Scene().play(good, "INFO", { prompts: ["a good one"] })
    expect(lines().map(line => line.msg)).toEqual([
      "host opened",
      "session launched",
      "turn accepted",
      "run started",
      "turn settled",
      "host closed",
    ])
    expect(lines().find(line => line.msg === "turn settled")).toMatchObject({
      outcome: "succeeded",
      failure: null,
    })
  })

  it("a misspelt level is one warning that names the levels, and not the value", async () => {
    const { stdout, lines, stderr } = await new Scene().play(good, "debgu", { prompts: ["a good one"] })
    expect(stdout()).toContain('"outcome":"succeeded"')
    expect(lines()).toEqual([
      expect.objectContaining({
        level: "warn",
        levels: ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      }),
    ])
    expect(stderr()).not.toContain("debgu")
  })

  it("each level is taken as it is, in any case; none and an empty one are the default", () => {
    const minimum = (HOLDFAST_LOG: string | undefined) => askedLevel({ HOLDFAST_LOG }).minimum
    expect(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent", " Debug ", "", undefined].map(minimum),
    ).toEqual(["Fatal", "Error", "Warn", "Info", "Debug", "Trace", "None", "Debug", "Warn", "Warn"])
    expect(
      ["constructor", "60", "all", "none"].map(HOLDFAST_LOG => askedLevel({ HOLDFAST_LOG }).unknown),
    ).toEqual([true, true, true, true])
  })

  it("the log is listened to from info on; above it, telling its story costs nothing", () => {
    const listeners = (level: "Debug" | "Info" | "Warn" | "None") => {
      let count = 0
      const onCommit = () => {
        count += 1
        return () => {}
      }
      const store = { onCommit } as unknown as Store // all that is asked of it before something is committed
      const never = () => Effect.never
      const log = Log.of({ store, submit: never, append: never, snapshot: never })
      Effect.runSync(
        narrate.pipe(
          Effect.scoped,
          Effect.provideService(Log, log),
          Effect.provideService(References.MinimumLogLevel, level),
        ),
      )
      return count
    }
    expect((["Debug", "Info", "Warn", "None"] as const).map(listeners)).toEqual([1, 1, 0, 0])
  })
})
