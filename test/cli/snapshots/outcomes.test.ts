/** How a turn may end by itself, and what is said of it then and later. */
import * as plays from "./plays.ts"
import { story } from "./stage.ts"

const run = ["run", "--agent", "rehearsal", "--session", "s"] as const

story("success", async ({ run: holdfast }) => {
  await holdfast([...run, "Leave a note."], plays.withTool)
  await holdfast(["sessions"])
  await holdfast(["send", "s", "Thanks."], plays.thanks)
  await holdfast(["watch", "s", "--once"])
  await holdfast(["log"])
  await holdfast(["verify"])
})

story("success-unnamed", async ({ run: holdfast }) => {
  await holdfast(["run", "--agent", "rehearsal", "Leave a note."], plays.withTool)
})

const endings = [
  ["success-empty", plays.empty],
  ["success-degraded", plays.degraded],
  ["success-denied", plays.denied],
  ["failed-auth", "not-logged-in"],
  ["failed-rate-limit", "rate-limit"],
  ["failed-exit", plays.exits],
  ["failed-crash", "crash"],
] as const

for (const [name, play] of endings)
  story(name, async ({ run: holdfast, lookBack }) => {
    await holdfast([...run, "Do it."], play)
    await lookBack()
  })

// Long enough for an agent to be up, so that it is asked to stop and not struck down while it starts.
story("failed-timeout-silent", async ({ run: holdfast, lookBack }) => {
  await holdfast([...run, "--first-output", "6s", "Do it."], plays.silent)
  await lookBack()
})

// How often its limit is asked about depends on when it fell silent; so this one is told without the log.
story("failed-timeout-idle", async ({ run: holdfast }) => {
  await holdfast([...run, "--first-output", "60s", "--idle", "4s", "Do it."], plays.gated)
  await holdfast(["watch", "s", "--once"])
})
