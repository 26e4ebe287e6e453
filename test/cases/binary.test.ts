/** Field cases PL-13, X2, X10, CF-01: finding and starting the program, with the real Cursor adapter. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { cursor } from "../../adapters/agents/index.ts"
import type { AgentAdapter } from "../../adapters/library/index.ts"
import { it, type Place, refusal } from "./harness.ts"
import { cursorHost, script, wrapper } from "./wrapper.ts"

type Make = (place: Place) => string

describe.concurrent("binary", () => {
  const wrong: Readonly<Record<string, readonly [string, Make]>> = {
    "that is not there": ["BINARY_NOT_FOUND", place => place.at("nowhere")],
    "that is a folder": ["BINARY_NOT_EXECUTABLE", place => place.cwd],
    "that may not be executed": ["BINARY_NOT_EXECUTABLE", place => script(place, "agent", "exit 0\n", 0o600)],
    "of another format": [
      "BINARY_WRONG_FORMAT",
      place => {
        writeFileSync(place.at("agent"), "this is no program at all", { mode: 0o700 })
        return place.at("agent")
      },
    ],
    "whose interpreter is gone": [
      "BINARY_INTERPRETER_MISSING",
      place => {
        writeFileSync(place.at("agent"), "#!/no/such/interpreter\n", { mode: 0o700 })
        return place.at("agent")
      },
    ],
    "that is a shim of another shell": [
      "BINARY_IS_SHIM",
      place => script(place, "cursor-agent.cmd", "exit 0\n"),
    ],
    "that is the editor": ["BINARY_IS_EDITOR", place => script(place, "cursor", "exit 0\n")],
  }
  for (const [what, [code, make]] of Object.entries(wrong))
    it(`PL-13 a program ${what} is named, and nothing is appended`, async ({ place }) => {
      const binary = make(place)
      const host = await cursorHost(place, binary)
      const session = await host.launch({ cwd: place.cwd })
      const before = place.log().length
      const refused = await refusal(() => session.send("start what is not there"))
      expect(refused).toMatchObject({ code, retryable: false })
      expect(refused.message).toContain(binary)
      expect(place.log()).toHaveLength(before)
      expect(session.turns()).toEqual([])
    })

  it("PL-13 a program that goes away while a prompt waits fails that turn by name", async ({ place }) => {
    const binary = wrapper(place, "cursor-agent", "pl-09")
    const host = await cursorHost(place, binary)
    const session = await host.launch({ cwd: place.cwd })
    const first = place.send(session, "the one that runs")
    const second = place.send(session, "the one that waits")
    await second.accepted
    rmSync(binary)
    writeFileSync(join(place.cwd, "holdfast-go"), "")
    await place.result(first)
    const result = await place.result(second)
    expect(result).toMatchObject({
      outcome: "failed",
      failure: { kind: "binary", code: "BINARY_NOT_FOUND" },
    })
  })

  it("PL-13 a path with spaces and quotes is one path", async ({ place }) => {
    mkdirSync(place.at("my 'own' $HOME"))
    const host = await cursorHost(place, wrapper(place, "my 'own' $HOME/cursor agent", "st-17"))
    const session = await host.launch({ cwd: place.cwd })
    expect((await place.take(session, "whatever your name is")).result.outcome).toBe("succeeded")
  })

  it("PL-13 X10 an update between two turns is used by the second", async ({ place }) => {
    const binary = wrapper(place, "cursor-agent", "st-17")
    const host = await cursorHost(place, binary)
    const session = await host.launch({ cwd: place.cwd })
    expect((await place.take(session, "with the old build")).result.text).toBe("Hello.")
    rmSync(binary)
    wrapper(place, "cursor-agent", "st-04")
    expect((await place.take(session, "with the new build")).result.text).toBe("a \ufffd b")
  })

  it("X10 an update between the look and the start costs one more try, and nothing else", async ({
    place,
  }) => {
    const versions = [place.at("1"), place.at("2")]
    symlinkSync(process.execPath, place.at("1"))
    const plain = place.agent({ scenario: "st-17" })
    const updating: AgentAdapter = {
      ...plain,
      locate: async () => ({ binary: versions[0] ?? "" }),
      invocation: (binary, request, env) => {
        if (versions.length === 2) {
          rmSync(binary)
          symlinkSync(process.execPath, place.at("2"))
          versions.shift()
        }
        return plain.invocation(binary, request, env)
      },
    }
    const { result } = await place.play("st-17", { agents: [updating] })
    expect(result).toMatchObject({ outcome: "succeeded", text: "Hello." })
    expect(place.noted("started")).toHaveLength(1)
    expect(place.log().filter(event => event.machine === "run" && event.type === "requested")).toHaveLength(2)
  })

  it("X10 a program that stays away is a failure after one more try", async ({ place }) => {
    const plain = place.agent({ scenario: "st-17" })
    const gone: AgentAdapter = { ...plain, locate: async () => ({ binary: place.at("gone") }) }
    const { result } = await place.play("st-17", { agents: [gone] })
    expect(result).toMatchObject({ outcome: "failed", failure: { code: "BINARY_VANISHED", retryable: true } })
    expect(place.log().filter(event => event.machine === "run" && event.type === "requested")).toHaveLength(2)
    expect(place.journal()).toEqual([])
  })

  it("X2 nothing printed and exit 0 is a failure that says so", async ({ place }) => {
    const host = await cursorHost(place, script(place, "cursor-agent", "cat > /dev/null\n"))
    const { result } = await place.take(await host.launch({ cwd: place.cwd }), "say nothing at all")
    expect(result).toMatchObject({
      outcome: "failed",
      text: null,
      failure: { kind: "noOutput", code: "NO_OUTPUT" },
    })
  })

  it("a program that has said all before anybody looked is heard to its end", async ({ place }) => {
    const line = (record: object) => `echo '${JSON.stringify(record)}'\n`
    const session_id = "11111111-1111-4111-8111-111111111111"
    const content = [{ type: "text", text: "Quick." }]
    const binary = script(
      place,
      "cursor-agent",
      line({ type: "system", subtype: "init", session_id }) +
        line({ type: "assistant", message: { role: "assistant", content }, session_id, timestamp_ms: 1 }) +
        line({ type: "result", subtype: "success", is_error: false, result: "Quick.", session_id }),
    )
    // Looked at twice a second: the claim, the lines and the exit are all there at the first look.
    const host = await cursorHost(place, binary, undefined, { pollMs: 500 })
    const session = await host.launch({ cwd: place.cwd })
    const { events, result } = await place.take(session, "be quick about it")
    expect(result).toMatchObject({ outcome: "succeeded", text: "Quick." })
    expect(session.status().conversation).toBe(session_id)
    expect(events.map(event => event.type)).toEqual([
      "run.started",
      "run.identified",
      "text.delta",
      "text.final",
      "turn.settled",
    ])
  })

  it("CF-01 a start that loses the race on the CLI's own configuration is tried once more", async ({
    place,
  }) => {
    const { result } = await place.play("config-race-once")
    expect(result).toMatchObject({ outcome: "succeeded", text: "Done." })
    expect(place.noted("started")).toHaveLength(2)
  })

  it("CF-01 one that always loses it is a failure that may be tried again", async ({ place }) => {
    const { result } = await place.play("config-race")
    expect(result).toMatchObject({ outcome: "failed", failure: { code: "CONFIG_RACE", retryable: true } })
    expect(place.noted("started")).toHaveLength(2)
  })

  it("CF-01 sessions that start side by side have a configuration of their own each", async ({ place }) => {
    const host = await place.open({ scenario: "st-17" })
    const sessions = await Promise.all([1, 2, 3, 4].map(() => host.launch({ cwd: place.cwd })))
    const results = await Promise.all(sessions.map(session => session.send("all at the same time").result))
    expect(results.map(result => result.outcome)).toEqual(sessions.map(() => "succeeded"))
    expect(new Set(sessions.map(session => session.status().conversation)).size).toBe(4)
  })

  it("WT-07 flags that choose the folder, the conversation or the model are ours", async () => {
    for (const flag of [
      "-w",
      "--worktree",
      "--workspace=/elsewhere",
      "--resume=x",
      "--continue",
      "--model=x",
      "-pf",
    ])
      expect(await refusal(() => cursor({ extraArgs: [flag] }))).toMatchObject({ code: "RESERVED_FLAG" })
  })
})
