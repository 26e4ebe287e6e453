/** What a session does with its queue, its conversation and its end. How a turn goes is not looked at here. */
import { describe } from "vitest"
import { maxQueuedTurns, session } from "../../machines/index.ts"
import { actionsAre, behaviour, guardSays, rowGone } from "./faults.ts"
import { session as on } from "./samples/session.ts"

const busy = [on.launch, on.send("t1")] as const
const waiting = [...busy, on.send("t2"), on.send("t3")] as const

describe("the queue", () => {
  behaviour(
    "I12 one turn at a time: while one runs, others are told to wait, in order",
    session,
    {
      "the second one starts": actionsAre("busy", "send", 0, [{ type: "send", params: startAtOnce }]),
      "nothing is ever taken from the queue": rowGone("deciding", "always", 3),
    },
    given => {
      given(on.launch)
        .when(on.send("t1"))
        .then({
          state: "busy",
          context: { current: "t1" },
          sends: [
            { to: "turn:t1", type: "queued" },
            { to: "turn:t1", type: "start", resume: null },
          ],
        })
      given(...busy)
        .when(on.send("t2"))
        .then({ state: "busy", context: { current: "t1" }, sends: [{ to: "turn:t2", type: "queued" }] })
      given(...waiting)
        .when(on.settled("t1", "succeeded"))
        .then({ state: "busy", context: { current: "t2" }, sends: [{ to: "turn:t2", type: "start" }] })
    },
  )

  behaviour(
    "I12 a full queue refuses, and what is full is a hundred",
    session,
    { "the guard never says no": guardSays("room", true) },
    given => {
      given(...on.crowded(maxQueuedTurns - 1))
        .when(on.send("last"))
        .then({ state: "busy" })
      given(...on.crowded(maxQueuedTurns))
        .when(on.send("more"))
        .then({ rejected: "QUEUE_FULL" })
    },
  )

  behaviour(
    "I3 I12 a turn that is known is not sent again, or its end would leave the session waiting for ever",
    session,
    { "the guard never says no": guardSays("room", true) },
    given => {
      given(...waiting)
        .when(on.send("t1"))
        .then({ rejected: "TURN_EXISTS" })
      given(...waiting)
        .when(on.send("t3"))
        .then({ rejected: "TURN_EXISTS" })
    },
  )

  behaviour(
    "I3 a turn that has settled settles no more, neither itself nor the one after it",
    session,
    { "whose turn settled does not matter": guardSays("ofCurrent", true) },
    given => {
      given(...waiting, on.settled("t1", "succeeded"))
        .when(on.settled("t1", "failed"))
        .then({ ignored: true })
      given(...busy, on.settled("t1", "succeeded"))
        .when(on.settled("t1", "failed"))
        .then({ ignored: true })
    },
  )

  behaviour(
    "I8 a waiting turn that is interrupted leaves the queue and is never started",
    session,
    {
      "any turn counts as waiting": guardSays("ofQueued", true),
      "it stays": rowGone("busy", "turnSettled", 0),
    },
    given => {
      given(...waiting)
        .when(on.interrupt("t2"))
        .then({ state: "busy", sends: [{ to: "turn:t2", type: "interrupt" }] })
      given(...waiting)
        .when(on.settled("t2", "interrupted"))
        .then({ state: "busy", context: { current: "t1", queue: [{ turn: "t3" }] }, sends: [] })
      given(...waiting)
        .when(on.interrupt("t9"))
        .then({ rejected: "TURN_NOT_RUNNING" })
    },
  )

  behaviour(
    "I12 an unknown outcome pauses, and only a person goes on",
    session,
    { "pausing is not looked at": guardSays("pausing", false) },
    given => {
      given(...waiting)
        .when(on.settled("t1", "outcomeUnknown"))
        .then({
          state: "paused",
          context: { current: null, queue: [{ turn: "t2" }, { turn: "t3" }] },
          sends: [],
        })
      given(...waiting, on.settled("t1", "outcomeUnknown"))
        .when(on.resume)
        .then({ state: "busy", sends: [{ to: "turn:t2", type: "start" }] })
    },
  )

  behaviour(
    "PL-17 two sends to one conversation never run together",
    session,
    { "a second one starts": actionsAre("busy", "send", 0, [{ type: "send", params: startAtOnce }]) },
    given =>
      given(...busy)
        .when(on.send("t2"))
        .then({ sends: [{ to: "turn:t2", type: "queued" }] }),
  )
})

/** For a fault: the turn is started although another one runs. */
function startAtOnce({ event }: { event: { turn?: string } }) {
  return { stream: `turn:${event.turn}`, input: { type: "start", resume: null, historyLost: false } }
}
