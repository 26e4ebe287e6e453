/** A run from its request to a live process, or to the certainty that there never will be one. */
import { describe } from "vitest"
import { run } from "../../machines/index.ts"
import { actionsAre, behaviour, guardSays, rowGone } from "./faults.ts"
import { run as on, spawning } from "./samples/run.ts"

const blocked = [on.requested, on.blocked] as const
const tellsTurn = (type: string) => [{ to: "turn:t1", type, run: "t1.1" }] as const
const closes = (outcome: string, reason: string, code?: string) =>
  [
    {
      to: "turn:t1",
      type: "runClosed",
      outcome,
      reason,
      ...(code === undefined ? {} : { failure: { code } }),
    },
  ] as const

describe("starting", () => {
  behaviour(
    "I8 the boot is remembered before the launcher is asked for, once",
    run,
    { "the boot is forgotten": actionsAre("preparing", "prepared", -1, []) },
    given => {
      given(on.requested)
        .when(on.prepared)
        .then({
          state: "spawning",
          context: { boot: "boot-1" },
          effects: [["launch", { run: "t1.1" }]],
          timers: ["schedule claim 1000 awake"],
        })
      given(...spawning)
        .when(on.prepared)
        .then({ ignored: true })
      given(...spawning)
        .when(on.launched)
        .then({ ignored: true })
    },
  )

  behaviour(
    "I8 I12 one that is interrupted before its start is never launched, only claimed by the host",
    run,
    { "it goes on": rowGone("preparing", "interrupt"), "nobody claims": rowGone("spawning", "interrupt") },
    given => {
      given(on.requested)
        .when(on.interrupt)
        .then({ state: "tombstoning", effects: [["tombstone"]] })
      given(on.requested, on.interrupt).when(on.prepared).then({ ignored: true })
      given(...blocked)
        .when(on.interrupt)
        .then({ state: "tombstoning", effects: [["tombstone"]] })
      given(...blocked, on.interrupt)
        .when(on.retry)
        .then({ ignored: true })
      given(...spawning)
        .when(on.interrupt)
        .then({
          state: "tombstoning",
          effects: [["tombstone"]],
          timers: ["cancel claim"],
        })
      given(...spawning, on.interrupt)
        .when(on.tombstoned)
        .then({ state: "closed", sends: closes("interrupted", "abort") })
    },
  )

  behaviour(
    "I9 I11 a launcher that won the claim is ended, as the process that claimed",
    run,
    { "it is left alone": actionsAre("tombstoning", "claimLost", -1, []) },
    given =>
      given(...spawning, on.interrupt)
        .when(on.claimLost)
        .then({
          state: "closing",
          context: { launcher: { pid: 7 } },
          effects: [["end", { mode: "interrupt" }]],
        }),
  )

  behaviour(
    "I36 an obstacle blocks and spawns nothing; a retry looks again from the beginning",
    run,
    { "no retry": rowGone("blocked", "retry") },
    given => {
      given(on.requested)
        .when(on.blocked)
        .then({ state: "blocked", effects: [], sends: tellsTurn("runBlocked") })
      given(...spawning)
        .when(on.blocked)
        .then({ state: "blocked", timers: ["cancel claim"], sends: tellsTurn("runBlocked") })
      given(...blocked)
        .when(on.retry)
        .then({ state: "preparing", effects: [["prepare"]] })
    },
  )

  behaviour("PL-13 X10 a start that failed says why, and the turn decides", run, {}, given => {
    given(on.requested)
      .when(on.refused("resumeLost"))
      .then({ state: "closed", sends: closes("failed", "refused") })
    given(...spawning)
      .when(on.launchFailed("binary"))
      .then({ state: "closed", sends: closes("failed", "neverStarted") })
    given(...spawning, on.found("execFailed"))
      .when(on.ended())
      .then({ sends: closes("failed", "neverStarted", "BINARY_VANISHED") })
  })

  behaviour(
    "I8 a launcher that does not claim in time never will: the host claims first",
    run,
    { "it waits for ever": guardSays("ofTimer", false) },
    given => {
      given(...spawning)
        .when(on.timer("claim"))
        .then({ state: "tombstoning", effects: [["tombstone"]] })
      given(...spawning, on.timer("claim"))
        .when(on.tombstoned)
        .then({ sends: closes("failed", "firstOutputTimeout", "FIRST_OUTPUT_TIMEOUT") })
    },
  )

  behaviour(
    "a timer of another visit changes nothing",
    run,
    { "any timer will do": guardSays("ofTimer", true) },
    given =>
      given(...spawning)
        .when(on.timer("idle"))
        .then({ ignored: true }),
  )
})
