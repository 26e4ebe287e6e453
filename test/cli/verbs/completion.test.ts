/** `completion`: what is offered is what can be typed; in a real bash, and by the answers that every script asks for. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { ask } from "../ask.ts"
import { command, type Place } from "../harness.ts"
import { placeWithLog, tamper } from "./support.ts"

afterEach(() => void vi.unstubAllEnvs())

/** What is offered for these words, the last of which is being written; without the descriptions. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { code, text } = await ask(["completion", "--complete", "--", ...words])
  expect(code).toBe(0)
  const lines = text.split("\n").slice(0, -1)
  return lines.map(line => line.replace(/\t.*$/, ""))
}

describe("what may come next", () => {
  it("is a verb first, with what it does", async () => {
    const { text } = await ask(["completion", "--complete", "--", ""])
    const verbs =
      "run send interrupt sessions watch log verify replay export rebuild erase doctor demo completion"
    for (const verb of [...verbs.split(" "), "help"]) expect(text).toMatch(new RegExp(`^${verb}\t\\S`, "m"))
    expect(await offered("ver")).toEqual(["verify"])
    expect(await offered("-")).toEqual(["--version", "--help"])
    expect(await offered("help", "ver")).toEqual(["verify"])
    expect(await offered("frobnicate", "")).toEqual([])
  })

  it("is a flag of the verb where one begins", async () => {
    expect(await offered("erase", "s", "--")).toEqual(["--yes", "--json", "--home", "--help"])
    expect(await offered("erase", "--", "--y")).toEqual([]) // behind `--` there are only arguments
    expect(await offered("run", "--id")).toEqual(["--idle"])
  })

  it("is an agent, a shell or a file where one is meant", async () => {
    expect(await offered("run", "--agent", "c")).toContain("cursor")
    expect(await offered("run", "--agent=r")).toEqual(["--agent=rehearsal"])
    expect(await offered("run", "--agent", "=", "r")).toEqual(["rehearsal"]) // as bash takes it apart
    expect(await offered("completion", "")).toEqual(["bash", "zsh", "fish"])
    for (const words of [
      ["verify", "--head", ""],
      ["export", "--out", "x"],
      ["log", "--home", ""],
    ])
      expect(await offered(...words)).toEqual([":files"])
    expect(await offered("run", "--model", "")).toEqual([])
  })

  it("is a session that there is, once", async () => {
    const place = await placeWithLog()
    vi.stubEnv("HOLDFAST_HOME", place.home)
    expect(await offered("send", "")).toEqual(["a", "b", "c"])
    expect(await offered("watch", "--once", "b")).toEqual(["b"])
    expect(await offered("watch", "--session", "")).toEqual(["a", "b", "c"])
    expect(await offered("run", "--session", "")).toEqual([]) // a new one
    expect(await offered("erase", "a", "")).toEqual([])
    vi.stubEnv("HOLDFAST_HOME", "/nowhere")
    expect(await offered("send", "--home", place.home, "")).toEqual(["a", "b", "c"])
    expect(await offered("send", "")).toEqual([])
    tamper(place, "PRAGMA user_version = 9999")
    expect(await offered("send", "--home", place.home, "")).toEqual([])
  })
})

describe("the script", () => {
  /** In a bash of its own, with `holdfast` on the PATH: COMPREPLY after each line of words. */
  function inBash(place: Place, ...lines: readonly (readonly string[])[]): readonly string[] {
    const bin = join(place.root, "bin")
    mkdirSync(bin)
    writeFileSync(join(bin, "holdfast"), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`, {
      mode: 0o755,
    })
    const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
    const asked = lines.map(
      words =>
        `COMP_WORDS=(holdfast ${words.map(quote).join(" ")}); COMP_CWORD=${words.length}; _holdfast holdfast; echo "\${COMPREPLY[*]}"`,
    )
    const ended = spawnSync("bash", ["--norc", "-eu"], {
      input: `eval "$(holdfast completion bash)"\ncomplete -p holdfast\n${asked.join("\n")}\n`,
      encoding: "utf8",
      cwd: place.worktree,
      env: { PATH: `${bin}:${process.env.PATH}`, HOME: place.root, HOLDFAST_HOME: place.home },
    })
    expect(ended.stderr).toBe("")
    return ended.stdout.split("\n").slice(0, -1)
  }

  it("completes in a real bash, and evaluates nothing of what was typed", async () => {
    const place = await placeWithLog()
    const trap = join(place.root, "evaluated")
    expect(
      inBash(
        place,
        ["re"],
        ["send", ""],
        ["run", `$(touch ${trap})\`touch ${trap}\`; touch ${trap}`, "--ag"],
        ["export", "--out", ""],
      ),
    ).toEqual(["complete -F _holdfast holdfast", "replay rebuild", "a b c", "--agent", ""])
    expect(existsSync(trap)).toBe(false)
  })

  it("is there for each shell, for the one that is used, and for no other", async () => {
    const scripts = await Promise.all(["bash", "zsh", "fish"].map(shell => ask(["completion", shell])))
    expect(new Set(scripts.map(({ text }) => text)).size).toBe(3)
    for (const { text } of scripts) expect(text).toContain("completion --complete -- ")
    vi.stubEnv("SHELL", "/usr/bin/zsh")
    expect((await ask(["completion"])).text).toBe(scripts[1]?.text)
    vi.stubEnv("SHELL", "")
    for (const words of [["completion"], ["completion", "tcsh"]]) {
      const { code, notes } = await ask(words)
      expect([code, notes.join()]).toEqual([2, expect.stringContaining("USAGE_SHELL")])
    }
  })
})
