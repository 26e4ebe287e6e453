/** What an operator reads at `trace`: every line JSON, one turn's story by any of its ids, and no text of anybody (I4). */
import { describe, expect, it } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { type Line, Scene, secret } from "./support.ts"

const mark = "MARK-7d1e"
const says = (what: string) => `${mark} ${what}`

const talkative: Scenario = {
  turns: [
    {
      when: { promptIncludes: "fail" },
      steps: [
        { do: "init" },
        { do: "user" },
        { do: "stderr", text: says("error prose\n    at MARK-7d1e (frame:1:1)") },
        { do: "exit", code: 1 },
      ],
    },
    {
      steps: [
        { do: "init" },
        { do: "user" },
        { do: "thinking", text: says("thought") },
        { do: "text", text: says("reply"), chunks: 3 },
        { do: "tool", kind: "read", args: { path: says("argument") }, value: { content: says("content") } },
        { do: "emit", event: { type: says("type"), text: says("unknown") } },
        { do: "raw", utf8: `${says("no JSON at all")}\n` },
        { do: "result" },
      ],
    },
  ],
}

describe("at trace", () => {
  it("I4 two turns, a good and a failed one, are told in JSON lines without a word of theirs", async () => {
    const scene = new Scene(`state-${mark}-${secret}`)
    const { stdout, stderr, lines } = await scene.play(talkative, "trace", {
      prompts: [says("prompt one"), says("please fail")],
      faults: ["endOnce"],
      prose: mark,
    })
    expect(stdout()).toMatch(/"outcome":"succeeded"[\s\S]*"outcome":"failed"/)
    const all = lines()
    expect(all.length).toBeGreaterThan(40)
    for (const line of all) {
      expect(line.level).toMatch(/^(trace|debug|info|warn)$/)
      expect(new Date(line.time).toISOString()).toBe(line.time)
      expect(line.host).toMatch(/^h/)
      expect(line.msg).not.toBe("")
    }
    // A folder may be told, but for the key in its name; the mark in it shows that looking for one finds it.
    const folder = scene.home.replace(secret, "[redacted]")
    expect(all[0]?.folder).toBe(folder)
    const withoutFolder = stderr().replaceAll(folder, "")
    expect(withoutFolder).not.toBe(stderr())
    const texts = [mark, "prompt one", "reply", "thought", "argument", "prose", "quoted"]
    expect(texts.filter(text => withoutFolder.includes(text))).toEqual([])
    const threw = all.filter(line => line.msg === "an effect failed and is tried again")
    expect(threw.map(line => line.failures)).toContainEqual([
      expect.objectContaining({ error: "Error", at: expect.any(Array) }),
    ])
  })

  it("a turn's story is found by its id, in order, and an effect's by its own", async () => {
    const scene = new Scene()
    const { lines } = await scene.play(talkative, "trace", { prompts: [says("first"), says("second")] })
    const turns = [...new Set(lines().flatMap(line => (typeof line.turn === "string" ? [line.turn] : [])))]
    expect(turns).toHaveLength(2)
    for (const turn of turns) {
      const story = lines().filter(line => JSON.stringify(line).includes(turn))
      expect(story.every(line => line.session === "story")).toBe(true)
      expect(story.filter(isPoint).map(line => line.msg)).toEqual([
        "turn accepted",
        "run started",
        "turn settled",
      ])
      expect(effectsOf(story)).toEqual([
        ["prepare", "prepared"],
        ["launch", "launched"],
        ["end", "ended"],
      ])
      expect(story.at(-1)).toMatchObject({ msg: "effect finished", state: "closed" })
      const positions = story.filter(line => line.event !== undefined).map(line => line.position)
      expect(positions).toEqual(positions.toSorted((a, b) => Number(a) - Number(b)))
    }
    expect(lines()[0]?.msg).toBe("host opened")
    expect(lines().at(-1)?.msg).toBe("host closed")
  })
})

const isPoint = (line: Line) => line.level === "info"

/** Kind and outcome of every effect: started first, finished with a duration, by the same id. */
function effectsOf(story: readonly Line[]): readonly (readonly unknown[])[] {
  const started = story.filter(line => line.msg === "effect started")
  return started.map(({ effect, kind }) => {
    const own = story.filter(line => line.effect === effect && line.kind === kind)
    expect(own.at(0)?.msg).toBe("effect started")
    const finished = own.find(line => line.msg === "effect finished")
    expect(finished?.durationMs).toEqual(expect.any(Number))
    return [kind, finished?.outcome]
  })
}
