/**
 * What may happen next in a world: commands of a person, outcomes of effects that were asked for, timers that
 * are armed, lines of a live process. A move picks by number, so that any numbers are a valid sequence. It
 * must not look at what is right: that is for the properties.
 */
import fc from "fast-check"
import { streamOf } from "../../machines/index.ts"
import type { AnyInput } from "./given.ts"
import { type Folder, folders, run } from "./samples/run.ts"
import { session } from "./samples/session.ts"
import type { World } from "./world.ts"

export const theSession = streamOf.session("s1")

export interface Move {
  readonly kind: "command" | "send" | "unblock" | "outcome" | "fire" | "found" | "line"
  readonly which: number
  readonly how: number
}

export const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.record({
    // Outcomes and new turns come more often, or nothing would ever get far.
    kind: fc.constantFrom<Move["kind"]>(
      ...(["command", "send", "send", "unblock", "fire", "found", "found", "line", "line"] as const),
      ...(["outcome", "outcome", "outcome", "outcome"] as const),
    ),
    which: fc.nat(30),
    how: fc.nat(30),
  }),
  { maxLength: 120, size: "max" },
)

/** What each effect may end with. */
export const outcomes: Readonly<Record<string, readonly AnyInput[]>> = {
  prepare: [
    run.prepared,
    run.blocked,
    run.refused("resumeLost"),
    run.refused("transient"),
    run.refused("auth"),
  ],
  launch: [run.launched, run.launchFailed("transient"), run.launchFailed("binary"), run.blocked],
  tombstone: [run.tombstoned, run.claimLost],
  probe: ["firstOutput", "idle", "total"].flatMap(timer => [
    run.probed(timer, 0, 9_000),
    run.probed(timer, 5, 0),
  ]),
  end: [run.ended(), run.ended({ emitted: true, left: [7] }), run.endedWithReply],
}

const lines: readonly AnyInput[] = [
  run.identified,
  run.spoke,
  run.toolStarted(0),
  run.toolCompleted(0),
  run.noticed,
  run.replied,
  run.repliedBadly,
]

/** Going on is more common than leaving, and a living process than a dead one, or no sequence gets far. */
const { pause, resume, archive, dispose } = session
const commands = [...Array<AnyInput>(10).fill(resume), pause, pause, archive, dispose]
const found: readonly Folder[] = [...Array<Folder>(8).fill("adopt"), ...(Object.keys(folders) as Folder[])] // keys of a literal

export function make(world: World, { kind, which, how }: Move): void {
  const turns = world.ids("turn")
  const turn = pick(turns, which)
  const live = pick(
    world
      .ids("run")
      .filter(id => world.state(streamOf.run(id)) !== "closed")
      .map(streamOf.run),
    which,
  )
  if (kind === "send") world.tell(theSession, session.send(`t${turns.length + 1}`))
  else if (kind === "command") {
    const command = how < 24 ? pick(commands, how) : turn && session.interrupt(turn)
    if (command) world.tell(theSession, command)
  } else if (kind === "unblock") {
    if (turn && world.state(streamOf.turn(turn)) === "blocked")
      world.tell(streamOf.turn(turn), { type: "unblock" })
  } else if (kind === "outcome") answer(world, which, how)
  else if (kind === "fire") fire(world, which)
  else if (kind === "found" && live) world.tell(live, run.found(pick(found, how) ?? "adopt"))
  else if (kind === "line" && live) world.tell(live, pick(lines, how) ?? run.spoke)
}

/** The effect ends: it is asked for no more, and its outcome is told. */
export function answer(world: World, which: number, how: number): void {
  const effect = pick(world.asked, which)
  if (effect === undefined) return
  world.asked.splice(world.asked.indexOf(effect), 1)
  const outcome = pick(outcomes[effect.kind] ?? [], how)
  if (outcome !== undefined) world.tell(effect.stream, outcome)
}

export function fire(world: World, which: number): void {
  const timer = pick([...world.timers.entries()], which)
  if (timer === undefined) return
  world.timers.delete(timer[0]) // its row goes in the transaction in which it fires
  world.tell(timer[1].stream, { type: "timer", id: timer[1].id })
}

const pick = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length]
