/** What an operator must see without asking, and what is told of a host that takes over. */
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { describe, expect, it } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { readFolder } from "../../effects/run-folder/read.ts"
import { Scene, until } from "./support.ts"

const playing = (...steps: Scenario["turns"][number]["steps"]): Scenario => ({
  turns: [{ steps: [{ do: "init" }, { do: "user" }, ...steps] }],
})
const waiting = (scene: Scene) => playing({ do: "waitForFile", path: scene.at("go") }, { do: "result" })

describe("by default", () => {
  it("a turn whose key went away is warned about, with the reason", async () => {
    const scene = new Scene()
    const run = scene.start(playing({ do: "result" }), null, {
      prompts: ["one"],
      faults: ["keyGoesAway"],
      prose: "MARK-7d1e",
    })
    await until(() => run.stderr().endsWith("\n"), "a warning")
    expect(run.lines()).toEqual([
      expect.objectContaining({ level: "warn", kind: "prepare", reason: "keyMissing", session: "story" }),
    ])
    expect(run.stderr()).not.toContain("MARK")
  })

  it("an adapter that throws is warned about by name and place, never in its words", async () => {
    const scene = new Scene()
    const run = await scene.play(playing({ do: "result" }), null, {
      prompts: ["one"],
      faults: ["seedConfig"],
      prose: "MARK-7d1e",
    })
    expect(run.stdout()).toContain('"outcome":"failed"')
    expect(run.lines()).toEqual([
      expect.objectContaining({
        level: "warn",
        msg: "an adapter threw",
        turn: expect.any(String),
        failures: [{ error: "Error", at: expect.arrayContaining([expect.stringContaining("program.ts")]) }],
      }),
    ])
    expect(run.stderr()).not.toContain("MARK")
  })

  it("an outcome that nobody knows is warned about, since its session waits for a person", async () => {
    const scene = new Scene()
    const run = scene.start(waiting(scene), null, { prompts: ["one"] })
    await until(() => scene.journalPids().length > 0, "the agent")
    const [name] = readdirSync(join(scene.home, "runs"))
    const { claim, agent } = readFolder(join(scene.home, "runs", name ?? ""))
    if (claim?.by !== "launcher" || agent === null) throw new Error("the run was not claimed")
    // The launcher first, so that nobody is there to write down how the agent ended.
    for (const pid of [claim.identity.pid, agent.pid]) process.kill(pid, "SIGKILL")
    await run.ended
    expect(run.stdout()).toContain('"outcome":"outcomeUnknown"')
    expect(run.lines()).toEqual([expect.objectContaining({ level: "warn", run: name, session: "story" })])
  })

  it("I6 a stream that cannot be used is named at every opening", async () => {
    const scene = new Scene()
    await scene.play(playing({ do: "result" }), null, { prompts: ["one"] })
    const db = new Database(join(scene.home, "log.sqlite"))
    db.prepare("UPDATE streams SET context = '{' WHERE stream = 'session:story'").run()
    db.prepare("UPDATE events SET data = '{' WHERE stream = 'session:story'").run()
    db.close()
    const again = { prompts: ["two"], sessionExists: true }
    const met = await scene.play(playing({ do: "result" }), null, again)
    expect(met.stdout()).toBe('{"refused":"STREAM_QUARANTINED"}\n')
    const run = await scene.play(playing({ do: "result" }), null, again)
    expect(run.lines()).toContainEqual(
      expect.objectContaining({ level: "warn", stream: "session:story", position: 1 }),
    )
  })
})

describe("at info", () => {
  it("a takeover names the host that is gone, and the run that was adopted", async () => {
    const scene = new Scene()
    const first = scene.start(waiting(scene), "info", { prompts: ["one"], thenWait: true })
    await until(() => first.lines().some(line => line.msg === "run started"), "the run")
    first.child.kill("SIGKILL")
    await first.ended
    const dead = first.lines()[0]?.host
    const second = scene.start(waiting(scene), "info", { prompts: ["one"], sessionExists: true })
    await until(() => second.lines().some(line => line.msg === "run adopted"), "the adoption")
    writeFileSync(scene.at("go"), "")
    await second.ended
    expect(second.lines().map(line => [line.msg, line.session])).toEqual([
      ["session claimed", "story"],
      ["run adopted", "story"],
      ["host opened", undefined],
      ["turn settled", "story"],
      ["host closed", undefined],
    ])
    expect(second.lines()[0]).toMatchObject({ previousHost: dead })
    expect(second.lines()[0]?.host).not.toBe(dead)
  })

  it("a watchdog that fired is told with its name", async () => {
    const scene = new Scene()
    const run = await scene.play({ turns: [{ steps: [{ do: "hang" }] }] }, "info", {
      prompts: ["one"],
      limits: { firstOutputMs: 200, signalGraceMs: 100 },
    })
    expect(run.lines().find(line => line.msg === "watchdog fired")).toMatchObject({ timer: "firstOutput" })
    expect(run.lines().find(line => line.msg === "turn settled")).toMatchObject({
      outcome: "failed",
      failure: "FIRST_OUTPUT_TIMEOUT",
    })
  })
})
