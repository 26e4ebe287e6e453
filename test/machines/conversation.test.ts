/** Which conversation the next run resumes, and what never replaces it. */
import { describe } from "vitest"
import { assign } from "xstate"
import { session } from "../../machines/index.ts"
import { actionsAre, behaviour } from "./faults.ts"
import { session as on } from "./samples/session.ts"

const kept = [
  on.launch,
  on.send("t1"),
  on.identified("t1", "good"),
  on.settled("t1", "succeeded", { conversation: "good" }),
] as const
const again = [...kept, on.send("t2")] as const

/** For a fault: the id of the latest run, whatever became of it. */
const overwrite = assign({
  current: null,
  conversation: ({ event }: { event: { conversation?: string } }) => event.conversation ?? null,
})

describe("the conversation of a session", () => {
  behaviour(
    "I13 the first id that is heard is kept at once, and later turns resume it",
    session,
    { "nobody listens": actionsAre("busy", "identified", 0, []) },
    given => {
      given(on.launch, on.send("t1"))
        .when(on.identified("t1", "good"))
        .then({ state: "busy", context: { conversation: "good" } })
      given(...kept)
        .when(on.send("t2"))
        .then({ sends: [{ type: "queued" }, { type: "start", resume: "good" }] })
    },
  )

  behaviour(
    "I13 neither an empty id nor that of a failed, interrupted or unknown run replaces a good one",
    session,
    { "whatever came last is kept": actionsAre("busy", "turnSettled", 1, [overwrite]) },
    given => {
      given(...again)
        .when(on.settled("t2", "succeeded", { conversation: null }))
        .then({ context: { conversation: "good" } })
      for (const outcome of ["failed", "interrupted", "outcomeUnknown"])
        given(...again)
          .when(on.settled("t2", outcome, { conversation: "worse" }))
          .then({ context: { conversation: "good" } })
      given(...again)
        .when(on.identified("t2", "other"))
        .then({ context: { conversation: "good" } })
    },
  )

  behaviour("I13 RS-02 the id of a success replaces the one that was lost", session, {}, given =>
    given(...again)
      .when(on.settled("t2", "succeeded", { conversation: "fresh" }))
      .then({ context: { conversation: "fresh" } }),
  )

  behaviour(
    "RS-04 a run that failed before it said who it was leaves a session that can be used",
    session,
    {},
    given => {
      given(on.launch, on.send("t1"))
        .when(on.settled("t1", "failed"))
        .then({ state: "ready", context: { conversation: null } })
      given(on.launch, on.send("t1"), on.settled("t1", "failed")).when(on.send("t2")).then({ state: "busy" })
    },
  )

  behaviour(
    "CU-02 what a conversation had used before is known to the next run, or unknown",
    session,
    { "the count of another conversation is kept": actionsAre("busy", "turnSettled", 1, [overwrite]) },
    given => {
      const used = { inputTokens: 100, outputTokens: 15, cacheReadTokens: 20, cacheWriteTokens: 0 }
      const counted = on.settled("t1", "succeeded", { conversation: "good", conversationUsage: used })
      given(on.launch, on.send("t1"), counted)
        .when(on.send("t2"))
        .then({ sends: [{ type: "queued" }, { type: "start", resume: "good", usageBefore: used }] })
      // An interrupted turn did not say what it used, so what the next one uses cannot be told from its total.
      given(on.launch, on.send("t1"), counted, on.send("t2"))
        .when(on.settled("t2", "interrupted", { conversation: "good" }))
        .then({ context: { conversation: "good", conversationUsage: null } })
      // A failed run that went on with another conversation counted that one.
      given(on.launch, on.send("t1"), counted, on.send("t2"))
        .when(on.settled("t2", "failed", { conversation: "worse", conversationUsage: used }))
        .then({ context: { conversation: "good", conversationUsage: null } })
    },
  )

  behaviour("a conversation that cannot take another prompt is not resumed", session, {}, given =>
    given(...again)
      .when(on.settled("t2", "failed", { broken: true }))
      .then({ state: "ready", context: { conversation: null } }),
  )
})
