/** How long a run may be silent. A watchdog asks first; only the answer ends anything. */
import { describe } from "vitest"
import { run } from "../../machines/index.ts"
import { actionsAre, behaviour, guardSays } from "./faults.ts"
import { active, run as on, spawning, withOpenTools } from "./samples/run.ts"

const ends = (mode: string) => [["end", { mode }]] as const
const times = (code: string, conversation: string | null) =>
  [{ type: "runClosed", outcome: "failed", failure: { kind: "timedOut", code }, conversation }] as const

describe("watchdogs", () => {
  behaviour(
    "PL-03 PL-04 one that fires asks how long it has been, and ends nothing yet",
    run,
    { "it knows no watchdog": guardSays("ofWatchdog", false) },
    given => {
      for (const timer of ["firstOutput", "idle", "total"])
        given(...active)
          .when(on.timer(timer))
          .then({ state: "active", effects: [["probe", { timer }]], timers: [] })
    },
  )

  behaviour(
    "PL-03 silence is a typed failure, and the conversation is kept",
    run,
    { "it is patient for ever": guardSays("silentTooLong", false) },
    given => {
      given(...active)
        .when(on.probed("idle", 5, 2_000))
        .then({ state: "closing", effects: ends("interrupt") })
      given(...active, on.identified, on.probed("idle", 5, 2_000))
        .when(on.ended())
        .then({ state: "closed", sends: times("IDLE_TIMEOUT", "c1") })
    },
  )

  behaviour(
    "PL-03 one that spoke meanwhile is given the rest of its time, from the last byte",
    run,
    {
      "it is never patient": guardSays("silentTooLong", true),
      "nothing is armed again": actionsAre("active", "probed", 3, []),
    },
    given => {
      given(...active)
        .when(on.probed("idle", 5, 1_999))
        .then({ state: "active", timers: ["schedule idle 1 awake"] })
      given(...active)
        .when(on.probed("firstOutput", 5, 500))
        .then({ timers: ["schedule idle 1500 awake"] })
    },
  )

  behaviour(
    "PL-03 a spool that was emptied behind our back does not make silence endless",
    run,
    { "it is patient for ever": guardSays("silentTooLong", false) },
    given =>
      given(...active)
        .when(on.probed("idle", 0, 2_000))
        .then({ state: "closing" }),
  )

  behaviour(
    "PL-03 no first output, and no end in time, are failures of their own",
    run,
    {
      "first output never fails": guardSays("noFirstOutput", false),
      "there is always time": guardSays("outOfTime", false),
    },
    given => {
      given(...active)
        .when(on.probed("firstOutput", 0, 1_000))
        .then({ state: "closing", effects: ends("interrupt") })
      given(...active, on.probed("firstOutput", 0, 1_000))
        .when(on.ended())
        .then({ sends: times("FIRST_OUTPUT_TIMEOUT", null) })
      given(...active)
        .when(on.probed("total", 5, 0))
        .then({ state: "closing", effects: ends("interrupt") })
      given(...active, on.probed("total", 5, 0))
        .when(on.ended())
        .then({ sends: times("TOTAL_TIMEOUT", null) })
    },
  )

  behaviour(
    "PL-04 an open tool call extends the silence, by what it asked for, until it is completed",
    run,
    {
      "calls are not looked at": actionsAre("active", "toolStarted", 0, []),
      "a call never ends": actionsAre("active", "toolCompleted", 0, []),
    },
    given => {
      const open = [...active, on.toolStarted(0)]
      const patient = [...active, on.toolStarted(0, 9_000)]
      given(...open)
        .when(on.probed("idle", 5, 4_000))
        .then({ state: "active", timers: ["schedule idle 1000 awake"] })
      given(...open)
        .when(on.probed("idle", 5, 5_000))
        .then({ state: "closing" })
      given(...patient)
        .when(on.probed("idle", 5, 5_000))
        .then({ timers: ["schedule idle 6000 awake"] })
      given(...patient, on.toolCompleted(0))
        .when(on.probed("idle", 5, 5_000))
        .then({ state: "closing" })
    },
  )

  behaviour(
    "I16 the 65th open call is seen, and not waited for",
    run,
    { "the guard never says no": guardSays("room", true) },
    given => {
      given(...withOpenTools(63))
        .when(on.toolStarted(63))
        .then({ context: { openTools: { length: 64 } } })
      given(...withOpenTools(64))
        .when(on.toolStarted(64))
        .then({ context: { openTools: { length: 64 }, emitted: true } })
    },
  )

  behaviour(
    "I9 every timer is cancelled when the run begins to close, and a late one changes nothing",
    run,
    {},
    given => {
      const cancels = ["cancel firstOutput", "cancel idle", "cancel total", "cancel elsewhere"]
      given(...active)
        .when(on.interrupt)
        .then({ timers: cancels })
      given(...active)
        .when(on.replied)
        .then({ timers: cancels })
      for (const late of ["firstOutput", "idle", "total", "elsewhere", "claim"])
        given(...active, on.interrupt)
          .when(on.timer(late))
          .then({ ignored: true })
      given(...active, on.interrupt)
        .when(on.probed("total", 5, 0))
        .then({ ignored: true })
    },
  )

  behaviour(
    "a timer that this state did not ask for changes nothing",
    run,
    { "any timer means elsewhere": guardSays("ofTimer", true) },
    given => {
      for (const stale of ["claim", "none"])
        given(...active)
          .when(on.timer(stale))
          .then({ ignored: true })
    },
  )
})

describe("a run that lives where we cannot judge it", () => {
  const elsewhere = [...spawning, on.found("elsewhere")]

  behaviour(
    "I11 is waited for, then reported as unknown",
    run,
    { "for ever": guardSays("ofTimer", false) },
    given => {
      given(...elsewhere)
        .when(on.timer("elsewhere"))
        .then({ state: "closing", effects: ends("sweep") })
      given(...elsewhere, on.timer("elsewhere"))
        .when(on.ended())
        .then({ sends: [{ outcome: "outcomeUnknown" }] })
      given(...active)
        .when(on.found("elsewhere"))
        .then({ state: "active", timers: ["schedule elsewhere 30000 wall"] })
    },
  )

  behaviour(
    "I9 is not given up once a host here has found it",
    run,
    { "the timer is left": actionsAre("active", "found", 0, []) },
    given =>
      given(...elsewhere)
        .when(on.found("adopt"))
        .then({ state: "active", timers: ["cancel elsewhere"] }),
  )
})
