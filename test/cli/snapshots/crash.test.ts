/** The command is killed in the middle of a reply: what the readers say, and then the next host. */
import { until } from "../harness.ts"
import * as plays from "./plays.ts"
import { type Stage, story } from "./stage.ts"

const run = ["run", "--agent", "rehearsal", "--session", "s", "Leave a note."] as const

/** Everything of its first half is shown and logged; then it dies. */
async function killedInTheMiddle({ start, remark, logged }: Stage): Promise<void> {
  remark("gets SIGKILL in the middle of its reply")
  const host = start(run, plays.gated)
  await host.shows(plays.half)
  await logged("toolCompleted")
  host.kill()
  await host.ended
}

story("crash-adopted", async stage => {
  const { start, run: holdfast, remark, logged, lookBack, open } = stage
  await killedInTheMiddle(stage)
  await lookBack()
  remark("is there while all of the following happens, and gets Ctrl-C at the end")
  const watch = start(["watch", "s"])
  await watch.shows(plays.half)
  remark("waits for the turn that it found, whose agent goes on when `sessions` below has looked")
  const next = start(["send", "s", "Thanks."], plays.thanks)
  await logged("send", 2)
  await logged("found", 2)
  await holdfast(["sessions"])
  open("go")
  await next.ended
  await watch.shows("welcome.")
  watch.ctrlC()
  await watch.ended
  await lookBack()
})

story("crash-finished-alone", async stage => {
  const { run: holdfast, remark, lookBack, open, place } = stage
  await killedInTheMiddle(stage)
  remark("its agent goes on, and ends by itself")
  open("go")
  await until(() => place.alive().length === 0)
  await holdfast(["sessions"])
  await holdfast(["watch", "s", "--once"])
  await holdfast(["send", "s", "Thanks."], plays.thanks)
  await lookBack()
})

story("crash-unknown", async stage => {
  const { run: holdfast, remark, lookBack, place } = stage
  await killedInTheMiddle(stage)
  remark("its launcher and its agent are killed too")
  // The launcher first, so that nobody can write how the agent ended.
  for (const pid of place.alive().toSorted((a, b) => a - b)) process.kill(pid, "SIGKILL")
  await until(() => place.alive().length === 0)
  await holdfast(["sessions"])
  await holdfast(["watch", "s", "--once"])
  await holdfast(["send", "s", "Thanks."], plays.thanks)
  await lookBack()
  await holdfast(["send", "s", "--resume", "Thanks."], plays.thanks)
  await lookBack()
})
