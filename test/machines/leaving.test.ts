/** Pausing, archiving and disposing a session: in every state, through the same path as an interrupt. */
import { describe } from "vitest"
import { session } from "../../machines/index.ts"
import { behaviour, guardSays } from "./faults.ts"
import { session as on } from "./samples/session.ts"

const busy = [on.launch, on.send("t1")] as const
const waiting = [...busy, on.send("t2")] as const
const interruptsCurrent = [{ to: "turn:t1", type: "interrupt" }] as const

describe("leaving", () => {
  behaviour("a ready session pauses, is archived and is disposed of at once", session, {}, given => {
    given(on.launch).when(on.pause).then({ state: "paused", sends: [] })
    given(on.launch).when(on.archive).then({ state: "archived", sends: [] })
    given(on.launch).when(on.dispose).then({ state: "disposed", sends: [] })
  })

  behaviour(
    "I12 a busy one interrupts its turn first, and leaves when that has settled",
    session,
    {
      "pausing is forgotten": guardSays("pausing", false),
      "archiving is forgotten": guardSays("archiving", false),
      "disposing is forgotten": guardSays("disposing", false),
    },
    given => {
      for (const [command, state] of [
        [on.pause, "paused"],
        [on.archive, "archived"],
        [on.dispose, "disposed"],
      ] as const) {
        given(...busy)
          .when(command)
          .then({ state: "busy", sends: interruptsCurrent })
        given(...busy, command)
          .when(on.settled("t1", "interrupted"))
          .then({ state, sends: [] })
        given(...busy, command)
          .when(on.settled("t1", "succeeded"))
          .then({ state, sends: [] })
        given(...busy, command)
          .when(on.settled("t1", "outcomeUnknown"))
          .then({ state, sends: [] })
      }
    },
  )

  behaviour("what waits, waits on, and goes on in order after a resume", session, {}, given => {
    const paused = [...waiting, on.pause, on.settled("t1", "interrupted")]
    given(...paused)
      .when(on.send("t3"))
      .then({ state: "paused", sends: [{ to: "turn:t3", type: "queued" }] })
    given(...paused)
      .when(on.interrupt("t2"))
      .then({ sends: [{ to: "turn:t2", type: "interrupt" }] })
    given(...paused)
      .when(on.resume)
      .then({ state: "busy", sends: [{ to: "turn:t2", type: "start" }] })
    given(...paused, on.archive)
      .when(on.resume)
      .then({ state: "busy" })
    given(...paused, on.archive)
      .when(on.send("t3"))
      .then({ rejected: "SESSION_ARCHIVED" })
    given(...paused, on.archive, on.settled("t2", "interrupted"))
      .when(on.dispose)
      .then({ state: "disposed" })
    given(...paused, on.settled("t2", "interrupted"))
      .when(on.dispose)
      .then({ state: "disposed" })
  })

  behaviour(
    "nothing waits in a session that is disposed of",
    session,
    { "the queue is not looked at": guardSays("empty", true) },
    given => {
      given(...waiting)
        .when(on.dispose)
        .then({ rejected: "QUEUE_NOT_EMPTY" })
      given(...waiting, on.pause, on.settled("t1", "interrupted"))
        .when(on.dispose)
        .then({ rejected: "QUEUE_NOT_EMPTY" })
      given(...busy, on.dispose)
        .when(on.send("t2"))
        .then({ rejected: "SESSION_DISPOSED" })
    },
  )

  behaviour(
    "a disposal that was promised is not taken back by another command",
    session,
    { "it may stay": guardSays("staying", true) },
    given => {
      for (const command of [on.pause, on.archive, on.resume])
        given(...busy, on.dispose)
          .when(command)
          .then({ rejected: "SESSION_DISPOSED" })
      given(...busy, on.dispose)
        .when(on.interrupt("t1"))
        .then({ sends: interruptsCurrent })
    },
  )

  behaviour("a pause and an archive can be taken back while the turn still runs", session, {}, given => {
    for (const command of [on.pause, on.archive])
      given(...waiting, command, on.resume)
        .when(on.settled("t1", "interrupted"))
        .then({
          state: "busy",
          context: { current: "t2" },
        })
  })

  behaviour("each refusal says why", session, {}, given => {
    given().when(on.send("t1")).then({ rejected: "SESSION_UNKNOWN" })
    given(on.launch).when(on.launch).then({ rejected: "SESSION_EXISTS" })
    given(on.launch).when(on.interrupt("t1")).then({ rejected: "TURN_NOT_RUNNING" })
    given(on.launch).when(on.resume).then({ rejected: "NOT_ACCEPTED" })
    given(on.launch, on.archive).when(on.send("t1")).then({ rejected: "SESSION_ARCHIVED" })
    given(on.launch, on.dispose).when(on.send("t1")).then({ rejected: "SESSION_DISPOSED" })
    given(...busy, on.archive)
      .when(on.send("t2"))
      .then({ rejected: "SESSION_ARCHIVED" })
  })
})
