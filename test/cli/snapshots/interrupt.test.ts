/** Ctrl-C once, Ctrl-C twice, and `interrupt` from elsewhere: what each of them says. */
import { until } from "../harness.ts"
import * as plays from "./plays.ts"
import { story } from "./stage.ts"

const run = ["run", "--agent", "rehearsal", "--session", "s", "Leave a note."] as const

story("interrupt-once", async ({ start, run: holdfast, remark, logged, lookBack }) => {
  remark("gets Ctrl-C in the middle of its reply")
  const host = start(run, plays.gated)
  await host.shows(plays.half)
  await logged("toolCompleted")
  host.ctrlC()
  await host.ended
  await lookBack()
  await holdfast(["send", "s", "Thanks."], plays.thanks)
})

story("interrupt-twice", async ({ start, run: holdfast, remark, logged, lookBack, place }) => {
  remark("gets Ctrl-C in the middle of its reply, and once more when its agent takes no notice")
  const host = start(run, plays.stubborn)
  await host.shows(plays.half)
  await logged("toolCompleted")
  host.ctrlC()
  await until(() => place.journal().some(entry => entry.event === "signal"))
  host.ctrlC()
  await host.ended
  // Whether it could still settle the turn itself is a race; the next host has done so in any case.
  await holdfast(["send", "s", "Thanks."], plays.thanks)
  await lookBack()
})

story("interrupt-verb", async ({ start, run: holdfast, remark, logged }) => {
  remark("is interrupted from elsewhere in the middle of its reply")
  const host = start(run, plays.gated)
  await host.shows(plays.half)
  await logged("toolCompleted")
  remark("elsewhere, before that one ended")
  await holdfast(["sessions"])
  await holdfast(["interrupt", "s"])
  await host.ended
  await holdfast(["interrupt", "s"])
})
