/** Field cases WT: the folder a turn runs in, and the trust that it needs. */
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { it, refusal, until } from "./harness.ts"

describe.concurrent("surroundings", () => {
  it("WT-03 a folder that vanished between two turns fails the turn by name, and nothing runs elsewhere", async ({
    place,
  }) => {
    const { session } = await place.play("st-17")
    renameSync(place.cwd, place.at("moved"))
    const gone = await place.take(session, "work where nothing is")
    expect(gone.result).toMatchObject({
      outcome: "failed",
      failure: { kind: "config", code: "CWD_MISSING", retryable: false },
    })
    expect(place.noted("started")).toHaveLength(1)
    // It is back, and so is the session, conversation included.
    renameSync(place.at("moved"), place.cwd)
    const back = await place.take(session, "work where you did before")
    expect(back.result.outcome).toBe("succeeded")
    expect(place.noted("started").map(entry => entry.cwd)).toEqual([place.cwd, place.cwd])
    expect(place.noted("claimed").map(entry => entry.resumed)).toEqual([false, true])
  })

  it("WT-03 a folder that became a file is no folder", async ({ place }) => {
    const { session } = await place.play("st-17")
    rmSync(place.cwd, { recursive: true })
    writeFileSync(place.cwd, "now a file")
    const { result } = await place.take(session, "work in a file")
    expect(result).toMatchObject({ outcome: "failed", failure: { code: "CWD_MISSING" } })
  })

  it("WT-03 a session keeps its physical folder when the link that led to it is turned", async ({
    place,
  }) => {
    const link = place.at("link")
    symlinkSync(place.cwd, link)
    const host = await place.open({ scenario: "st-17" })
    const session = await host.launch({ cwd: link })
    expect(session.status().cwd).toBe(realpathSync(place.cwd))
    mkdirSync(place.at("other"))
    rmSync(link)
    symlinkSync(place.at("other"), link)
    await place.take(session, "which folder is this")
    expect(place.noted("started").map(entry => entry.cwd)).toEqual([place.cwd])
  })

  it("WT-03 a folder with any name that a folder can have is worked in", async ({ place }) => {
    const cwd = join(place.cwd, "a $(b) 'c' \"d\" ; é\n漢")
    mkdirSync(cwd)
    const host = await place.open({ scenario: "st-17" })
    const { result } = await place.take(await host.launch({ cwd }), "in an odd folder")
    expect(result.outcome).toBe("succeeded")
    expect(place.noted("started").map(entry => entry.cwd)).toEqual([cwd])
  })

  it("I10 a folder that cannot be read for a while costs nothing: the answer is told when it can be again", async ({
    place,
  }) => {
    const gate = place.at("go")
    const steps = [
      { do: "init" },
      { do: "user" },
      { do: "waitForFile", path: gate },
      { do: "text", text: "All of it." },
      { do: "result" },
    ] as const
    const host = await place.open({ scenario: { turns: [{ steps }] } })
    const turn = place.send(await host.launch({ cwd: place.cwd }), "while nobody can look")
    await until(() => place.noted("waiting").length > 0)
    await until(() => place.log().some(event => event.machine === "run" && event.to === "active"))
    const claim = join(place.home, "runs", `${turn.id}.1`, "claim")
    renameSync(claim, `${claim}.away`)
    mkdirSync(claim) // whoever reads it is told EISDIR, as of a disk that is not well
    writeFileSync(gate, "")
    await until(() => existsSync(join(place.home, "runs", `${turn.id}.1`, "exit")))
    expect(place.log().filter(event => event.type === "resultSeen")).toEqual([])
    rmSync(claim, { recursive: true })
    renameSync(`${claim}.away`, claim)
    expect(await place.result(turn)).toMatchObject({ outcome: "succeeded", text: "All of it." })
  })

  it("no such folder to launch in is refused, and no session is made", async ({ place }) => {
    const host = await place.open({ scenario: "st-17" })
    writeFileSync(place.at("a-file"), "")
    for (const cwd of [place.at("nowhere"), place.at("a-file"), `${place.cwd}\0`])
      expect(await refusal(() => host.launch({ cwd }))).toMatchObject({
        code: "CWD_MISSING",
        retryable: false,
      })
    expect(host.sessions()).toEqual([])
    expect(place.log()).toEqual([])
  })

  for (const scenario of ["untrusted", "untrusted-exit-0"])
    it(`WT-04 a refusal for want of trust is a failure, whatever the exit code (${scenario})`, async ({
      place,
    }) => {
      const { result } = await place.play(scenario)
      expect(result).toMatchObject({
        outcome: "failed",
        text: null,
        failure: { kind: "config", code: "WORKSPACE_UNTRUSTED" },
      })
      expect(place.noted("started")).toHaveLength(1)
    })

  it("WT-04 every start asks for trust by itself", async ({ place }) => {
    await place.play("st-17")
    expect(place.noted("started")[0]?.argv).toEqual(expect.arrayContaining(["--trust", "--force"]))
  })

  it("what is no agent, model, id or limit is refused by name, and nothing is appended", async ({
    place,
  }) => {
    const host = await place.open({ scenario: "st-17" })
    const { cwd } = place
    const refused = {
      AGENT_UNKNOWN: { cwd, agent: "nobody" },
      MODEL_INVALID: { cwd, model: "--force" },
      SESSION_ID_INVALID: { cwd, id: "" },
      LIMIT_INVALID: { cwd, limits: { idleMs: 0 } },
    } as const
    for (const [code, options] of Object.entries(refused))
      expect(await refusal(() => host.launch(options))).toMatchObject({ code, retryable: false })
    for (const idleMs of [Number.NaN, -1, 1.5, 2 ** 31, Number.POSITIVE_INFINITY])
      expect(await refusal(() => host.launch({ cwd, limits: { idleMs } }))).toMatchObject({
        code: "LIMIT_INVALID",
      })
    for (const id of ["../up", "a/b", ".hidden", "a b", "é", "x".repeat(129)])
      expect((await refusal(() => host.launch({ cwd, id }))).code).toBe("SESSION_ID_INVALID")
    const session = await host.launch({ cwd })
    const before = place.log().length
    for (const id of ["", "\n", "é", "x".repeat(201)])
      expect((await refusal(() => session.send("with an odd id", { id }))).code).toBe("ID_INVALID")
    expect(place.log()).toHaveLength(before)
    expect(await refusal(() => host.session("no-such"))).toMatchObject({ code: "SESSION_UNKNOWN" })
    expect(await refusal(() => host.turn("no-such"))).toMatchObject({ code: "TURN_UNKNOWN" })
    expect(host.sessions()).toHaveLength(1)
    // The longest and oddest that are ids.
    const named = await host.launch({ cwd, id: "s".repeat(128) })
    const turn = place.send(named, "with an odd id that is one", `order 42 ~ ${"x".repeat(189)}`)
    expect((await place.result(turn)).outcome).toBe("succeeded")
    await host.close()
    expect(await refusal(() => host.launch({ cwd }))).toMatchObject({ code: "HOST_CLOSED" })
  })
})
