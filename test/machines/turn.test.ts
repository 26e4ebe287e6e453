/** A turn: from its prompt to its one outcome, and when another run is worth a try. */
import { describe } from "vitest"
import { turn } from "../../machines/index.ts"
import { actionsAre, behaviour, guardSays, rowGone } from "./faults.ts"
import { turn as on } from "./samples/turn.ts"
import { verdict } from "./samples/words.ts"

const started = [on.queued, on.start] as const
const running = [...started, on.active("t1.1")] as const
const requestsSecondRun = [{ to: "run:t1.2", type: "requested", resume: null }] as const
const tellsSession = (outcome: string) =>
  [{ to: "session:s1", type: "turnSettled", turn: "t1", outcome }] as const

describe("a turn", () => {
  behaviour(
    "I8 I12 one that is interrupted before its start asks for no run and says so",
    turn,
    { "it starts all the same": rowGone("queued", "interrupt") },
    given => {
      given(on.queued)
        .when(on.interrupt)
        .then({ state: "interrupted", effects: [], sends: tellsSession("interrupted") })
      given(on.queued, on.interrupt).when(on.start).then({ ignored: true })
    },
  )

  behaviour(
    "I8 it is started once, by one run",
    turn,
    { "the run is not looked at": guardSays("ofThisRun", true) },
    given => {
      given(on.queued)
        .when(on.start)
        .then({ state: "preparing", sends: [{ to: "run:t1.1", type: "requested" }] })
      given(...started)
        .when(on.start)
        .then({ ignored: true })
      given(...running)
        .when(on.closed("t1.2", "succeeded"))
        .then({ ignored: true })
    },
  )

  for (const first of ["succeeded", "failed", "interrupted", "outcomeUnknown"])
    behaviour(`I3 after ${first} no second terminal input changes anything`, turn, {}, given => {
      given(...running)
        .when(on.closed("t1.1", first))
        .then({ state: first, sends: tellsSession(first) })
      for (const second of ["succeeded", "failed", "interrupted", "outcomeUnknown"])
        given(...running, on.closed("t1.1", first))
          .when(on.closed("t1.1", second))
          .then({ ignored: true })
      for (const late of [on.interrupt, on.start, on.active("t1.1"), on.known("t1.1"), on.unblock])
        given(...running, on.closed("t1.1", first))
          .when(late)
          .then({ ignored: true })
    })

  behaviour(
    "I3 a settled turn is over for the machine too",
    turn,
    { "one outcome forgets to tell": actionsAre("deciding", "always", 2, []) },
    given =>
      given(...running)
        .when(on.closed("t1.1", "succeeded", { verdict }))
        .then({ sends: tellsSession("succeeded") }),
  )

  behaviour(
    "I10 once the answer is known, an interrupt comes too late",
    turn,
    { "the answer is not noticed": rowGone("running", "outcomeKnown") },
    given =>
      given(...running, on.known("t1.1"))
        .when(on.interrupt)
        .then({ ignored: true }),
  )

  behaviour(
    "I36 what blocks is said, an unblock tries the same run again, an interrupt ends it",
    turn,
    {
      "an unblock does nothing": rowGone("blocked", "unblock"),
      "no interrupt while blocked": rowGone("blocked", "interrupt"),
    },
    given => {
      const blocked = [...started, on.blocked("t1.1")]
      given(...started)
        .when(on.blocked("t1.1"))
        .then({ state: "blocked", context: { blocked: "keyMissing" }, sends: [] })
      given(...blocked)
        .when(on.unblock)
        .then({
          state: "preparing",
          context: { blocked: null },
          sends: [{ to: "run:t1.1", type: "retry" }],
        })
      given(...blocked)
        .when(on.interrupt)
        .then({ state: "blocked", sends: [{ to: "run:t1.1", type: "interrupt" }] })
      given(...blocked, on.interrupt)
        .when(on.closed("t1.1", "interrupted"))
        .then({ state: "interrupted" })
    },
  )
})

describe("another run", () => {
  behaviour(
    "RS-02 a lost conversation is tried once without it, and only if nothing was emitted",
    turn,
    {
      "it gives up at once": guardSays("lostConversation", false),
      "it never gives up": guardSays("lostConversation", true),
    },
    given => {
      const resuming = [on.queued, on.startResuming("gone")]
      const lost = on.failed("t1.1", "resumeLost")
      given(...resuming)
        .when(lost)
        .then({ state: "preparing", context: { historyLost: true }, sends: requestsSecondRun })
      given(...resuming, lost)
        .when(on.failed("t1.2", "resumeLost"))
        .then({ state: "failed" })
      given(...resuming)
        .when(on.failed("t1.1", "resumeLost", { emitted: true }))
        .then({ state: "failed" })
      given(...resuming, on.interrupt)
        .when(lost)
        .then({ state: "failed" })
      given(...started)
        .when(lost)
        .then({ state: "failed" })
    },
  )

  behaviour(
    "CF-01 X10 a transient failure is tried once more with the same conversation, if nothing was emitted",
    turn,
    {
      "it gives up at once": guardSays("nothingDone", false),
      "it never gives up": guardSays("nothingDone", true),
    },
    given => {
      const transient = on.failed("t1.1", "transient")
      given(on.queued, on.startResuming("kept"))
        .when(transient)
        .then({ state: "preparing", sends: [{ to: "run:t1.2", type: "requested", resume: "kept" }] })
      given(...started, transient)
        .when(on.failed("t1.2", "transient"))
        .then({ state: "failed" })
      given(...started)
        .when(on.failed("t1.1", "transient", { emitted: true }))
        .then({ state: "failed" })
      given(...started, on.interrupt)
        .when(transient)
        .then({ state: "failed", sends: tellsSession("failed") })
    },
  )

  behaviour("I8 no other failure is tried again, and neither is an unknown outcome", turn, {}, given => {
    for (const kind of ["auth", "config", "rateLimited", "timedOut", "agent", "crashed", "busy"])
      given(...running)
        .when(on.failed("t1.1", kind))
        .then({ state: "failed" })
    given(...running)
      .when(on.closed("t1.1", "outcomeUnknown"))
      .then({ state: "outcomeUnknown" })
  })

  behaviour("PL-17 a run that ended before it said anything is a failure that is seen", turn, {}, given =>
    given(...started)
      .when(on.failed("t1.1", "busy"))
      .then({ state: "failed", sends: tellsSession("failed") }),
  )
})
