/**
 * The demo's claims, held against three accounts that do not know of each other: what the reader got, what the log
 * says, and what the agent noted in its own journal.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { streamOf } from "../../../machines/words.ts"
import type { EventRecord, VerifyReport } from "../../../store/index.ts"
import { type JournalEntry, readJournal } from "../../rehearsal/index.ts"
import { type Reading, withReading } from "../reading.ts"
import type { Alone } from "./alone.ts"
import type { Checks } from "./checks.ts"
import type { Seen } from "./first-host.ts"
import type { Place } from "./place.ts"
import { finalOf, type Rest, replyOf } from "./second-host.ts"

export interface Story {
  readonly place: Place
  readonly prompts: readonly [string, string]
  readonly seen: Seen
  readonly alone: Alone
  /** The log's last position before the second host opened. */
  readonly before: number
  readonly rest: Rest
}

export interface Judgement {
  readonly turns: number
  readonly report: VerifyReport
  readonly timeline: readonly EventRecord[]
}

export async function judge(story: Story, checks: Checks): Promise<Judgement> {
  return withReading(story.place.home, reading => {
    const timeline = events(reading, story.seen.session)
    judgeAdoption(story, checks, timeline)
    judgeReply(story, checks)
    judgeAgent(story, checks)
    judgeSecondTurn(story, checks)
    const turns = reading.store.turns(story.seen.session).filter(row => !row.undecodable)
    const states = turns.map(row => row.state)
    checks.equal("turns", "Two turns, each settled once, both succeeded", states, ["succeeded", "succeeded"])
    const report = reading.store.verify()
    checks.equal("chain", "The log's chain is whole and its replay agrees", report.problems, [])
    return { turns: turns.length, report, timeline }
  })
}

function judgeAdoption(
  { seen, before, alone, place }: Story,
  checks: Checks,
  timeline: readonly EventRecord[],
) {
  checks.holds(
    "outlived",
    "The agent went on writing while no host lived",
    alone.later > alone.atDeath,
    alone,
  )
  const run = streamOf.run(seen.run)
  const found = timeline.filter(event => event.stream === run && event.position > before)
  const adoption = found.find(
    event => event.type === "found" && event.from === "active" && event.to === "active",
  )
  const lives = new Set(journalOf(place, seen.run).map(entry => entry.nonce))
  const epochs = timeline.filter(event => event.stream === run).map(event => event.epoch)
  const isNewOwner = adoption !== undefined && adoption.epoch > Math.min(...epochs)
  checks.holds(
    "adopted",
    "The second host took the running agent over: the log says so, and it was one process all along",
    isNewOwner && lives.size === 1 && finishedItself(place, seen.run),
    { adoption: adoption ?? null, lives: [...lives] },
  )
}

function judgeReply({ seen, rest }: Story, checks: Checks): void {
  const got = [...seen.deltas, ...replyOf(rest.events)]
  const final = finalOf(rest.events)
  checks.holds(
    "midStream",
    "The first host died in the middle of the reply",
    seen.deltas.length > 0 && final !== null && seen.deltas.join("").length < final.length,
  )
  checks.equal(
    "wholeReply",
    "Both halves together are the whole reply, without a gap or a repeated byte",
    got.join(""),
    final,
  )
  checks.equal(
    "sameAgain",
    "Read again from the beginning, it is the same, piece by piece",
    replyOf(rest.again),
    got,
  )
  checks.equal("succeeded", "The turn settled succeeded", rest.result.outcome, "succeeded")
}

function judgeAgent({ place, seen, prompts, rest }: Story, checks: Checks): void {
  const journal = journalOf(place, seen.run)
  const given = journal.flatMap(entry => (entry.event === "prompt" ? [entry.sha256] : []))
  checks.equal("promptOnce", "By its own journal the agent got the prompt once", given, [sha256(prompts[0])])
  const wrote = journal.findLast(entry => entry.event === "wrote")
  checks.equal("everyByte", "Every byte that it says it wrote is kept", rest.spoolSha256, wrote?.sha256)
  const notes = readFileSync(join(place.worktree, "rehearsal-notes.md"), "utf8")
  const expected = prompts.map((prompt, index) => `- turn ${index + 1}: ${prompt}\n`).join("")
  checks.equal("workOnce", "Its work in the repository was done once for each turn", notes, expected)
}

function judgeSecondTurn({ rest, prompts }: Story, checks: Checks): void {
  const { events, result } = rest.second
  const conversation = rest.again.find(event => event.type === "run.identified")?.conversation
  const started = events.find(event => event.type === "run.started")
  checks.holds(
    "resumed",
    "The second turn resumed the agent's conversation, and its reply remembers the first prompt",
    result.outcome === "succeeded" &&
      started !== undefined &&
      started.resumes === conversation &&
      (result.text ?? "").includes(prompts[0].slice(0, 40)),
    { resumes: started?.resumes ?? null, conversation: conversation ?? null, reply: result.text },
  )
}

const journalOf = (place: Place, run: string): readonly JournalEntry[] =>
  readJournal(place.journal).filter(entry => entry.run === run)

/** Its last word is its own exit; nobody ended it and no other process took its place. */
function finishedItself(place: Place, run: string): boolean {
  const last = journalOf(place, run).at(-1)
  return last?.event === "exit" && last.code === 0
}

function events({ store }: Reading, session: string): readonly EventRecord[] {
  return store.readEvents({ after: 0, limit: 1_000, session }).filter(event => !event.undecodable)
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
