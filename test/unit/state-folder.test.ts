/** Where the state folder is: never in whatever folder a program happens to be started in, unless that was said. */
import { userInfo } from "node:os"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"
import { stateFolder } from "../../adapters/library/state-folder.ts"

const own = join(userInfo().homedir, ".local", "state", "holdfast")

it.each<[string, Record<string, string>, string | undefined, string]>([
  ["what is said", { HOLDFAST_HOME: "/b" }, "/a", "/a"],
  ["a relative one that is said", {}, "a", resolve("a")],
  ["the variable", { HOLDFAST_HOME: "/b", XDG_STATE_HOME: "/c" }, undefined, "/b"],
  ["the system's place", { XDG_STATE_HOME: "/c", HOME: "/d" }, undefined, "/c/holdfast"],
  ["the home folder", { HOME: "/d" }, undefined, "/d/.local/state/holdfast"],
  ["an empty word counts as none", { HOLDFAST_HOME: "/b" }, "", "/b"],
  [
    "empty variables count as none",
    { HOLDFAST_HOME: "", XDG_STATE_HOME: "", HOME: "/d" },
    undefined,
    "/d/.local/state/holdfast",
  ],
  [
    "a relative place of the system's counts as none",
    { XDG_STATE_HOME: "rel", HOME: "/d" },
    undefined,
    "/d/.local/state/holdfast",
  ],
  ["without a home, the user's own", { HOME: "" }, undefined, own],
])("%s", (_what, env, home, expected) => {
  expect(stateFolder(env, home)).toBe(expected)
})
