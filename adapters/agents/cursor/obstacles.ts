/** What can stand between us and Cursor's CLI in particular, one code each, with the next step. */
import { authObstacle, binaryObstacle } from "../common/obstacles.ts"

/** How the CLI is to be had, as the end of a sentence. */
export const install = "install the Cursor CLI, or set HOLDFAST_CURSOR_BIN"

export const obstacles = {
  isEditor: (path: string) =>
    binaryObstacle("BINARY_IS_EDITOR", `${path} starts the Cursor editor; name cursor-agent instead.`),
  notCursor: (path: string) =>
    binaryObstacle(
      "BINARY_NOT_CURSOR",
      `${path} does not answer like Cursor's CLI; name cursor-agent instead.`,
    ),
  keyMissing: authObstacle(
    "KEY_MISSING",
    "There is no key for Cursor; set CURSOR_API_KEY, or give cursor({ apiKey }).",
  ),
  notLoggedIn: authObstacle(
    "NOT_LOGGED_IN",
    "The CLI is not logged in; run `cursor-agent login`, or set CURSOR_API_KEY.",
  ),
}
