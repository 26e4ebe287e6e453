/** `watch`: a reader that is killed goes on behind the last line that it printed; a person is told how. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { Step } from "../../../adapters/rehearsal/index.ts"
import { makePlace, type Place, rehearse, until } from "../harness.ts"
import { type Line, ofType, textOf, wholeLines } from "../lines.ts"
import { placeWithLog } from "./support.ts"

const parts = ["First, ", "then again, ", "and again, ", "and the end."]
const gate = (number: number): Step => ({ do: "waitForFile", path: `$CWD/gate-${number}` })
const open = (place: Place, number: number) => writeFileSync(join(place.worktree, `gate-${number}`), "")
const scenario = {
  turns: [
    {
      steps: [
        ...([{ do: "init" }, { do: "user" }] as const),
        ...parts.flatMap((text, number): readonly Step[] => [{ do: "text", text, chunks: 5 }, gate(number)]),
        { do: "result" },
      ] satisfies readonly Step[],
    },
  ],
}

it("kill -9 at any place, and the next one goes on: no gap, no repeated byte", async () => {
  const place = makePlace()
  const host = place.start(rehearse("s", "Talk."), { scenario })
  await host.line("text.delta")
  const got: Line[] = []
  for (const [number] of parts.entries()) {
    const after = got.length === 0 ? [] : ["--after", String(got.at(-1)?.at)]
    const watch = place.start(["watch", "--session", "s", "--json", ...after])
    const said = parts.slice(0, number + 1).join("")
    await until(() => textOf([...got, ...watch.told()]) === said)
    watch.child.kill("SIGKILL")
    const killed = await watch.ended
    expect(killed.signal).toBe("SIGKILL")
    got.push(...wholeLines(killed.stdout).filter(line => "at" in line))
    open(place, number)
  }
  expect((await host.ended).code).toBe(0)
  const rest = await place.run(["watch", "s", "--json", "--once", "--after", String(got.at(-1)?.at)])
  got.push(...rest.lines().filter(line => "at" in line))

  const whole = (await place.run(["watch", "s", "--json", "--once"])).lines().filter(line => "at" in line)
  expect(got).toEqual(whole)
  expect(textOf(got)).toBe(parts.join(""))
  expect(ofType(got, "turn.settled")).toMatchObject([{ outcome: "succeeded" }])
  expect(new Set(got.map(line => line.at)).size).toBe(got.length)
})

it("tells a person the words with which to go on, at the end and at Ctrl-C", async () => {
  const place = await placeWithLog()
  const events = (await place.ask("watch", "a", "--once", "--json")).lines.filter(line => "at" in line)
  const last = String(events.at(-1)?.at)
  const ended = await place.ask("watch", "a", "--once")
  expect(ended.notes.at(-1)).toBe(`To go on from here: holdfast watch a --after ${last} --home ${place.home}`)
  // Those words, and there is nothing new: the same place again.
  const again = await place.ask("watch", "a", "--once", "--after", last)
  expect(again.notes.slice(1)).toEqual(ended.notes.slice(-1))

  const live = place.start(["watch", "--session", "a"])
  let stderr = ""
  live.child.stderr?.on("data", (part: Buffer) => {
    stderr += part.toString()
  })
  await until(() => stderr.includes("turn a1 succeeded"))
  live.child.kill("SIGINT")
  const { code, stderr: all } = await live.ended
  expect(all.trimEnd().split("\n").at(-1)).toBe(`To go on from here: holdfast watch a --after ${last}`)
  expect(code).toBe(130)
})

it("needs one session, by either way", async () => {
  const place = await placeWithLog()
  for (const words of [[], ["a", "--session", "b"]]) {
    const { code, lines } = await place.ask("watch", ...words, "--once", "--json")
    expect([code, lines.at(-1)?.code]).toEqual([2, "USAGE_SESSION"])
  }
  expect((await place.ask("watch", "a", "--session", "a", "--once", "--json")).code).toBe(0)
})
