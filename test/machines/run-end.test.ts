/** How a run ends, and what counts: a delivered answer before anything that ended the process. */
import { describe } from "vitest"
import { run } from "../../machines/index.ts"
import { actionsAre, behaviour, guardSays, rowGone } from "./faults.ts"
import { active, type Folder, run as on, spawning } from "./samples/run.ts"
import { verdict } from "./samples/words.ts"

const closed = (outcome: string, more: object = {}) =>
  [{ to: "turn:t1", type: "runClosed", run: "t1.1", outcome, ...more }] as const
const failedBy = (kind: string) => closed("failed", { failure: { kind } })

describe("the answer", () => {
  behaviour(
    "I10 PL-01 the result line ends the turn, not the exit: it is known at once, then the processes are ended",
    run,
    {
      "the line is not looked at": rowGone("active", "resultSeen"),
      "nobody is told": actionsAre("active", "resultSeen", 0, []),
    },
    given =>
      given(...active)
        .when(on.replied)
        .then({
          state: "closing",
          context: { reason: "turnEnd", conclusion: { terminal: true } },
          effects: [["end", { run: "t1.1", mode: "afterResult" }]],
          sends: [{ to: "turn:t1", type: "outcomeKnown" }],
        }),
  )

  behaviour(
    "I3 I10 once it is there, no interrupt, exit, timer or second result changes the outcome",
    run,
    { "a second result counts": guardSays("open", true) },
    given => {
      const answered = [...active, on.replied]
      for (const late of [
        on.interrupt,
        on.found("exited"),
        on.found("vanished"),
        on.timer("total"),
        on.repliedBadly,
      ])
        given(...answered)
          .when(late)
          .then({ ignored: true })
      given(...answered)
        .when(on.ended({ left: [9] }))
        .then({
          state: "closed",
          sends: closed("succeeded", { reason: "turnEnd", failure: null, verdict, left: [9] }),
        })
    },
  )

  behaviour(
    "I10 whatever ended the process, an answer that is found in the spool afterwards wins",
    run,
    { "the end of the spool is not read": actionsAre("closing", "ended", 0, []) },
    given => {
      const endings = [
        [on.interrupt],
        [on.probed("firstOutput", 0, 1_000)],
        [on.probed("idle", 5, 2_000)],
        [on.probed("total", 5, 0)],
        ...(["exited", "vanished", "endedByLauncher", "neverStarted", "notDelivered"] as const).map(
          folder => [on.found(folder)],
        ),
        [on.found("elsewhere"), on.timer("elsewhere")],
      ]
      for (const ending of endings) {
        given(...active, ...ending)
          .when(on.endedWithReply)
          .then({ sends: closed("succeeded", { failure: null }) })
        given(...active, ...ending, on.replied)
          .when(on.ended())
          .then({ sends: closed("succeeded") })
      }
      for (const folder of ["exited", "vanished", "endedByLauncher"] as const satisfies Folder[])
        given(...spawning, on.found(folder))
          .when(on.endedWithReply)
          .then({ sends: closed("succeeded") })
      given(...spawning, on.interrupt, on.claimLost)
        .when(on.endedWithReply)
        .then({ sends: closed("succeeded") })
    },
  )

  behaviour(
    "I10 a bad result stands as the agent's own failure, except after an interrupt",
    run,
    {},
    given => {
      given(...active, on.repliedBadly)
        .when(on.ended())
        .then({ sends: failedBy("agent") })
      given(...active, on.interrupt, on.repliedBadly)
        .when(on.ended())
        .then({ sends: closed("interrupted", { failure: null }) })
    },
  )

  behaviour(
    "I13 the conversation is the first that was said, and is told also while closing",
    run,
    { "it is not told": rowGone("closing", "identified") },
    given => {
      given(...active)
        .when(on.identified)
        .then({ context: { conversation: "c1" }, sends: [{ type: "runIdentified", conversation: "c1" }] })
      given(...active, on.identified)
        .when({ ...on.identified, conversation: "c2" })
        .then({ context: { conversation: "c1" }, sends: [{ conversation: "c1" }] })
      given(...active, on.interrupt)
        .when(on.identified)
        .then({ sends: [{ type: "runIdentified", conversation: "c1" }] })
    },
  )
})

describe("the end", () => {
  behaviour(
    "I9 an interrupt is recorded before anything is ended, and reported after",
    run,
    { "it is not heard": rowGone("active", "interrupt") },
    given => {
      given(...active)
        .when(on.interrupt)
        .then({
          state: "closing",
          context: { reason: "abort" },
          effects: [["end", { mode: "interrupt" }]],
          sends: [],
        })
      given(...active, on.interrupt)
        .when(on.ended())
        .then({ state: "closed", sends: closed("interrupted", { reason: "abort" }) })
    },
  )

  behaviour("I30 closed is final", run, {}, given => {
    for (const late of [on.interrupt, on.replied, on.ended(), on.found("adopt"), on.retry, on.requested])
      given(...active, on.interrupt, on.ended())
        .when(late)
        .then({ ignored: true })
  })

  behaviour(
    "RS-02 CF-01 what reached a reader is said, so that nothing is done twice",
    run,
    {
      "a word does not count": actionsAre("active", "spoke", 0, []),
      "a tool does not count": actionsAre("active", "toolStarted", 0, []),
    },
    given => {
      given(...active, on.spoke, on.found("exited"))
        .when(on.ended())
        .then({ sends: closed("failed", { emitted: true }) })
      given(...active, on.toolStarted(0), on.found("exited"))
        .when(on.ended())
        .then({ sends: closed("failed", { emitted: true }) })
      given(...active, on.found("exited"))
        .when(on.ended({ emitted: true }))
        .then({ sends: closed("failed", { emitted: true }) })
      given(...active, on.identified, on.noticed, on.found("exited"))
        .when(on.ended())
        .then({ sends: closed("failed", { emitted: false }) })
    },
  )

  behaviour(
    "an exit without a result is what its adapter makes of it, a lost process is unknown",
    run,
    {},
    given => {
      given(...active, on.found("exited"))
        .when(on.ended())
        .then({ sends: failedBy("crashed") })
      given(...active, on.found("exited"))
        .when(on.ended({ verdict }))
        .then({ sends: closed("succeeded") })
      given(...active, on.found("vanished"))
        .when(on.ended())
        .then({ sends: closed("outcomeUnknown", { reason: "vanished" }) })
      given(...active, on.found("endedByLauncher"))
        .when(on.ended())
        .then({ sends: closed("failed", { failure: { code: "UNATTENDED" } }) })
      given(...active, on.found("notDelivered"))
        .when(on.ended())
        .then({ sends: closed("outcomeUnknown", { reason: "vanished" }) })
    },
  )
})
