/** Signals, the journal, and what is left behind: the agent as a process among others. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, openSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { type JournalEntry, rehearsalProgram, type Step } from "../../adapters/rehearsal/index.ts"
import { makePlace, turns, until, untilThere, usualFlags } from "./harness.ts"

const sha256 = (data: Buffer | string): string => createHash("sha256").update(data).digest("hex")
const last = <E extends JournalEntry["event"]>(journal: readonly JournalEntry[], event: E) =>
  journal.findLast((entry): entry is Extract<JournalEntry, { event: E }> => entry.event === event)

const hanging = (...before: readonly Step[]) =>
  turns(...before, { do: "init" }, { do: "text", text: "Half a reply", chunks: 3 }, { do: "hang" })

describe("a signal", () => {
  it.each([
    ["SIGINT", 130, "Aborting operation...\n"],
    ["SIGTERM", 143, ""],
  ] as const)("%s ends the turn with %i, after a whole line", async (signal, code, stderr) => {
    const place = makePlace()
    const started = place.start({ scenario: hanging() })
    await until(() => last(place.journal(), "waiting") !== undefined)
    started.kill(signal)
    const ended = await started.ended
    expect([ended.code, ended.signal, ended.stderr]).toEqual([code, null, stderr])
    expect(ended.stdout.endsWith("\n")).toBe(true)
    expect(last(place.journal(), "signal")).toMatchObject({ name: signal, ignored: false })
    expect(last(place.journal(), "exit")).toMatchObject({ code })
  })

  it("can be ignored, and is noted all the same", async () => {
    const place = makePlace()
    const started = place.start({
      scenario: hanging({ do: "ignoreSignals", signals: ["SIGINT", "SIGTERM"] }),
    })
    await until(() => last(place.journal(), "waiting") !== undefined)
    for (const name of ["SIGINT", "SIGTERM"] as const) {
      started.kill(name)
      await until(() => last(place.journal(), "signal")?.name === name)
    }
    started.kill("SIGKILL")
    expect((await started.ended).signal).toBe("SIGKILL")
  })

  it("ends the shell that a tool is running", async () => {
    const place = makePlace()
    const command = "echo $$ > shell.pid; touch there; sleep 60"
    const scenario = turns({ do: "tool", kind: "shell", args: { command }, real: true }, { do: "result" })
    const started = place.start({ scenario })
    await untilThere(place.file("there"))
    started.kill("SIGINT")
    expect((await started.ended).code).toBe(130)
    const shell = Number(readFileSync(place.file("shell.pid"), "utf8"))
    await until(() => isGone(shell))
  })
})

describe("the journal", () => {
  it("tells who ran, on which prompt, and every byte that was written", async () => {
    const place = makePlace()
    const prompt = Buffer.from("caf\u00e9\r\n\u2028 \u0000 end")
    const ended = await place.run({
      scenario: "x7",
      prompt,
      env: { HOLDFAST_RUN: "run-1", CURSOR_API_KEY: "secret-1" },
    })
    const journal = place.journal()
    expect(journal.map(entry => entry.event).filter(event => event !== "wrote")).toEqual([
      "started",
      "prompt",
      "claimed",
      "remembered",
      "exit",
    ])
    expect(last(journal, "prompt")).toMatchObject({
      from: "stdin",
      bytes: prompt.length,
      sha256: sha256(prompt),
    })
    expect(last(journal, "wrote")).toMatchObject({ bytes: ended.bytes.length, sha256: sha256(ended.bytes) })
    expect(last(journal, "started")?.environment).toContain("CURSOR_API_KEY")
    expect(JSON.stringify(journal)).not.toContain("secret-1")
    expect(new Set(journal.map(entry => `${entry.run} ${entry.nonce.length}`))).toEqual(new Set(["run-1 16"]))
  })

  it("survives a SIGKILL: what was written is there, and accounted for", async () => {
    const place = makePlace()
    const started = place.start({ scenario: hanging() })
    await until(() => last(place.journal(), "waiting") !== undefined)
    started.kill("SIGKILL")
    const { bytes } = await started.ended
    expect(last(place.journal(), "wrote")).toMatchObject({ bytes: bytes.length, sha256: sha256(bytes) })
    expect(last(place.journal(), "exit")).toBeUndefined()
  })
})

describe("steering", () => {
  it("goes on when a file appears, and says where it is with another", async () => {
    const place = makePlace()
    const scenario = turns(
      { do: "touchFile", path: "$CWD/here" },
      { do: "waitForFile", path: "$CWD/go" },
      { do: "result" },
    )
    const started = place.start({ scenario })
    await untilThere(place.file("here"))
    await until(() => last(place.journal(), "waiting")?.for === "file")
    expect(started.child.exitCode).toBeNull()
    openSync(place.file("go"), "w")
    expect((await started.ended).code).toBe(0)
  })

  it("plays something else for the first starts of a scenario", async () => {
    const place = makePlace()
    const codes = [
      await place.run({ scenario: "config-race-once" }),
      await place.run({ scenario: "config-race-once" }),
    ]
    expect(codes.map(ended => ended.code)).toEqual([1, 0])
    expect(codes[0]?.stderr).toContain(`rename '${place.config}/cli-config.json.tmp'`)
  })
})

describe("what is left behind", () => {
  it("lives on in a session of its own, deaf if it was told to be, with or without the marker", async () => {
    const place = makePlace()
    // Stands still at the end, so that its child is looked at before the harness tidies up.
    const scenario = turns(
      {
        do: "spawn",
        command: "printenv HOLDFAST_RUN > $CWD/child || echo none > $CWD/child; exec sleep 60",
        detached: true,
        ignoreSignals: ["SIGTERM"],
        dropMarker: true,
      },
      { do: "hang" },
    )
    const started = place.start({ scenario, env: { HOLDFAST_RUN: "run-1" } })
    await until(
      () => existsSync(place.file("child")) && readFileSync(place.file("child"), "utf8") === "none\n",
    )
    const child = last(place.journal(), "spawned")?.child ?? Number.NaN
    process.kill(child, "SIGTERM")
    expect(isGone(child)).toBe(false)
    started.kill("SIGKILL")
    await started.ended
    await until(() => isGone(child))
  })
})

describe("a regular file as stdout", () => {
  it("can be cut by the agent itself", async () => {
    const place = makePlace()
    const spool = place.file("spool")
    const child = spawn(process.execPath, [rehearsalProgram, ...usualFlags], {
      cwd: place.cwd,
      stdio: ["pipe", openSync(spool, "a"), "ignore"],
      env: {
        PATH: process.env.PATH ?? "",
        CURSOR_CONFIG_DIR: place.config,
        HOLDFAST_REHEARSAL: "truncates-stdout",
      },
    })
    child.stdin?.end("hello")
    await new Promise(resolve => child.once("close", resolve))
    const left = readFileSync(spool, "utf8")
    expect(left).not.toContain('"init"')
    expect(left).toContain("Gone from the file. Still there.")
  })
})

/** A zombie is gone. */
const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return true
  }
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"))
  } catch {
    return process.platform === "linux"
  }
}
