/** What is said before there is anything to do: the help, and the refusals. */
import { story } from "./stage.ts"

story(
  "help",
  async ({ run: holdfast }) => {
    await holdfast(["--help"])
    await holdfast(["run", "--help"])
    await holdfast(["send", "--help"])
  },
  ["person", "terminal"],
)

story("nothing-yet", async ({ run: holdfast }) => {
  await holdfast(["sessions"])
  await holdfast(["log"])
  await holdfast(["verify"])
})

story(
  "refusals",
  async ({ run: holdfast }) => {
    await holdfast([])
    await holdfast(["frobnicate"])
    await holdfast(["run", "--nope", "Do it."])
    await holdfast(["run", "fix", "it"])
    await holdfast(["run", "--idle", "soon", "Do it."])
    await holdfast(["run", "--agent", "rehearsal", ""])
    await holdfast(["run", "--agent", "rehearsal", "--cwd", "nowhere", "Do it."])
    await holdfast(["run", "Do it."])
    await holdfast(["send", "s", "Do it."])
    await holdfast(["run", "--agent", "rehearsal", "--session", "s", "Hello."], "st-17")
    await holdfast(["run", "--agent", "rehearsal", "--session", "s", "Hello."], "st-17")
    await holdfast(["send", "nobody", "Do it."])
    await holdfast(["watch", "s", "--turn", "none"])
    await holdfast(["log", "nobody"])
  },
  ["person", "json"],
)
