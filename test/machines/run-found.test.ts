/** What a run makes of a folder that its host finds, row by row; and when it does not launch again. */
import { describe } from "vitest"
import { run } from "../../machines/index.ts"
import { behaviour, guardSays } from "./faults.ts"
import { run as on, spawning } from "./samples/run.ts"

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

describe("a found run folder", () => {
  behaviour(
    "I8 without a claim: launched again in the same boot, unknown in another one",
    run,
    { "every folder looks alike": guardSays("row", true) },
    given => {
      given(...spawning)
        .when(on.found("notDelivered"))
        .then({ state: "spawning", effects: [["launch"]], timers: ["schedule claim 1000 awake"] })
      given(...spawning)
        .when(on.found("claimLostWithPower"))
        .then({ state: "closing", effects: [["end", { mode: "sweep" }]], sends: [] })
      given(...spawning, on.found("claimLostWithPower"))
        .when(on.ended())
        .then({ state: "closed", sends: closes("outcomeUnknown", "notDelivered") })
      given(...spawning)
        .when(on.found("tombstone"))
        .then({ state: "closed", effects: [], sends: closes("failed", "neverStarted") })
    },
  )

  behaviour(
    "I8 one that was asked for in another boot is not launched again, for its claim may be lost",
    run,
    { "every boot is the same": guardSays("otherBoot", false) },
    given => {
      const again = [...spawning, on.blocked, on.retry]
      given(...again)
        .when(on.prepared)
        .then({ state: "spawning", effects: [["launch"]] })
      given(...again)
        .when(on.preparedAfterPowerCut)
        .then({ state: "closing", effects: [["end", { mode: "sweep" }]] })
      given(...again, on.preparedAfterPowerCut)
        .when(on.ended())
        .then({ sends: closes("outcomeUnknown", "notDelivered") })
    },
  )

  behaviour(
    "I8 one that was asked for before is claimed by the host before a refusal is believed",
    run,
    {
      "nobody asked": guardSays("askedBefore", false),
      "it is decided": guardSays("undecided", false),
    },
    given => {
      const refused = [...spawning, on.blocked, on.retry, on.refused("config")]
      given(...spawning, on.blocked, on.retry)
        .when(on.refused("config"))
        .then({ state: "tombstoning", effects: [["tombstone"]] })
      given(...refused)
        .when(on.tombstoned)
        .then({ state: "closing", effects: [["end", { mode: "sweep" }]] })
    },
  )

  behaviour(
    "I8 a claimed one that lives is adopted, with its watchdogs",
    run,
    { "no row fits": guardSays("row", false) },
    given => {
      given(...spawning)
        .when(on.found("adopt"))
        .then({
          state: "active",
          effects: [],
          context: { launcher: { pid: 7 } },
          timers: ["cancel claim", "schedule firstOutput 1000 awake", "schedule total 60000 awake"],
          sends: tellsTurn("runActive"),
        })
      given(...spawning)
        .when(on.found("elsewhere"))
        .then({
          state: "active",
          timers: [
            "cancel claim",
            "schedule elsewhere 30000 wall",
            "schedule firstOutput 1000 awake",
            "schedule total 60000 awake",
          ],
        })
    },
  )

  behaviour(
    "I9 a claimed one that is over is swept before it is reported",
    run,
    { "no row is over": guardSays("over", false) },
    given => {
      for (const [folder, outcome, reason] of [
        ["endedByLauncher", "failed", "unattended"],
        ["exited", "failed", "exited"],
        ["neverStarted", "failed", "neverStarted"],
        ["vanished", "outcomeUnknown", "vanished"],
      ] as const) {
        given(...spawning)
          .when(on.found(folder))
          .then({ state: "closing", effects: [["end", { mode: "sweep" }]], sends: [] })
        given(...spawning, on.found(folder))
          .when(on.ended())
          .then({ state: "closed", sends: closes(outcome, reason) })
      }
    },
  )
})
