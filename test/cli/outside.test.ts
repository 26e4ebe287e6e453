/**
 * From outside: the command is killed in the middle of a reply, and everything is compared afterwards: the agent's
 * own journal, the bytes that the readers got, the repository, and the process table.
 */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { Step } from "../../adapters/rehearsal/index.ts"
import { makePlace, type Place, rehearse, until } from "./harness.ts"
import { ofType, textOf, wholeLines } from "./lines.ts"

const prompt = "Write it down, once."
const gate = (name: string): Step => ({ do: "waitForFile", path: `$CWD/${name}` })
const says = (text: string): Step => ({ do: "text", text, chunks: 6 })
const scenario = {
  turns: [
    {
      steps: [
        ...([{ do: "init" }, { do: "user" }] as const),
        says("Before the end of its host, "),
        { do: "tool", kind: "edit", args: { path: "notes.txt" }, append: "$PROMPT\n", real: true },
        gate("host-is-dead"),
        says("without any host, "),
        gate("host-is-back"),
        says("and with the next one."),
        { do: "result" },
      ] satisfies readonly Step[],
    },
  ],
}
const reply = "Before the end of its host, without any host, and with the next one."
const open = (place: Place, name: string) => writeFileSync(join(place.worktree, name), "")

it("a command that is killed loses nothing, repeats nothing, and leaves nothing behind", async () => {
  const place = makePlace()
  const host = place.start(rehearse("s", prompt), { scenario })
  await host.line("tool.completed")
  host.child.kill("SIGKILL")
  const killed = await host.ended
  const before = wholeLines(killed.stdout)
  const events = before.filter(line => "at" in line)
  expect(killed.signal).toBe("SIGKILL")
  expect(ofType(before, "turn.settled")).toEqual([])

  // Nobody owns it: a reader sees the agent go on, and says how things stand.
  open(place, "host-is-dead")
  const alone = place.start(["watch", "s", "--json", "--after", String(events.at(-1)?.at)])
  expect(await alone.line("session")).toMatchObject({
    state: "busy",
    owner: "dead",
    left: true,
    agentAlive: true,
  })
  await until(() => textOf(before.concat(alone.told())).endsWith("without any host, "))
  const words = await place.ask("sessions")
  expect(words.text).toContain("left by a dead host; its agent still runs; the next host takes it over")
  const positions = (await place.ask("log", "--json")).lines.length

  // The next host takes it over; its own turn waits for the one that it found.
  const next = place.start(["send", "s", "--json", "Thanks."], { scenario })
  await next.line("turn")
  open(place, "host-is-back")
  expect((await next.ended).code).toBe(0)
  await alone.line("turn.settled")
  alone.child.kill("SIGINT")
  const watched = wholeLines((await alone.ended).stdout)

  // What the first reader and the one that went on behind its cursor got, is the reply: every byte, once.
  const turn = events[0]?.turn
  const got = [...events, ...watched].filter(line => line.turn === turn)
  expect(textOf(got)).toBe(reply)
  expect(ofType(got, "text.final").map(line => line.text)).toEqual([reply])
  expect(ofType(got, "turn.settled")).toMatchObject([{ outcome: "succeeded", left: [] }])
  expect(ofType(got, "run.adopted")).toHaveLength(1)
  expect(new Set(got.map(line => line.at)).size).toBe(got.length)
  const again = await place.ask("watch", "s", "--json", "--turn", String(turn))
  expect(textOf(again.lines)).toBe(reply)

  // The agent's own account of that turn: one process, one prompt, all its bytes, an end of its own.
  const run = String(got.find(line => line.type === "run.started")?.run)
  const journal = place.journal().filter(entry => entry.run === run)
  const facts = journal.map(entry => entry.event)
  expect(new Set(journal.map(entry => entry.nonce)).size).toBe(1)
  expect(journal.filter(entry => entry.event === "prompt")).toMatchObject([{ sha256: sha256(prompt) }])
  expect(facts.filter(fact => fact === "signal")).toEqual([])
  expect(journal.at(-1)).toMatchObject({ event: "exit", code: 0 })
  const wrote = journal.findLast(entry => entry.event === "wrote")
  expect(wrote).toMatchObject({ sha256: sha256(readFileSync(join(place.home, "runs", run, "stdout"))) })
  expect(readFileSync(join(place.worktree, "notes.txt"), "utf8")).toBe(`${prompt}\nThanks.\n`)

  // The log: the takeover is in it, and it is whole. The process table: nothing.
  const log = (await place.ask("log", "--json")).lines
  const found = log.filter(line => line.stream === `run:${run}` && line.event === "found")
  expect(found.map(line => [line.from, line.to])).toEqual([
    ["spawning", "active"],
    ["active", "active"],
  ])
  expect(Number(found[1]?.position)).toBeGreaterThan(positions) // readers had appended nothing
  expect((await place.ask("verify", "--json")).code).toBe(0)
  expect(place.alive()).toEqual([])
})

it("an outcome that nobody knows stops the session until somebody says so", async () => {
  const place = makePlace()
  const host = place.start(rehearse("s", prompt), { scenario })
  await host.line("tool.completed")
  host.child.kill("SIGKILL")
  await host.ended
  // The launcher first, so that nobody can write how the agent ended.
  for (const pid of place.alive().toSorted((a, b) => a - b)) process.kill(pid, "SIGKILL")
  await until(() => place.alive().length === 0)

  const refused = await place.run(["send", "s", "--json", "Thanks."], { scenario: "st-17" })
  expect([refused.code, refused.lines().at(-1)?.code]).toEqual([2, "SESSION_PAUSED"])
  expect((await place.ask("sessions", "--json")).lines).toMatchObject([{ state: "paused", left: false }])
  const resumed = await place.run(["send", "s", "--json", "--resume", "Thanks."], { scenario: "st-17" })
  expect(resumed.code).toBe(0)
  const all = await place.ask("watch", "s", "--json", "--once")
  expect(ofType(all.lines, "turn.settled").map(line => line.outcome)).toEqual(["outcomeUnknown", "succeeded"])
})

it("a prompt sent to a session that another process runs waits for its turn, and is carried on by its sender", async () => {
  const place = makePlace()
  const first = place.start(rehearse("s", "One."), { scenario: "pl-09" })
  await first.line("tool.completed")
  const second = place.start(["send", "s", "--json", "--id", "request-2", "Two."], { scenario: "pl-09" })
  await second.line("turn")
  open(place, "holdfast-go")
  const [one, two] = await Promise.all([first.ended, second.ended])
  expect([one.code, two.code]).toEqual([0, 0])
  expect(ofType(two.lines(), "result")).toMatchObject([{ outcome: "succeeded", text: "Before. After." }])
  // The same request again is answered, and not done again.
  const again = await place.run(["send", "s", "--json", "--id", "request-2", "Two."], { scenario: "pl-09" })
  expect(ofType(again.lines(), "result")[0]).toMatchObject({ turn: ofType(two.lines(), "result")[0]?.turn })
  expect(place.journal().filter(entry => entry.event === "prompt")).toHaveLength(2)
  expect(place.alive()).toEqual([])
})

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex")
