/** What can stand between us and Codex in particular, one code each, with the next step. */
import { authObstacle } from "../common/obstacles.ts"

/** How the CLI is to be had, as the end of a sentence. */
export const install = "install it with `npm install -g @openai/codex`, or set HOLDFAST_CODEX_BIN"

export const obstacles = {
  keyMissing: authObstacle(
    "KEY_MISSING",
    "There is no key for Codex; set CODEX_API_KEY or OPENAI_API_KEY, give codex({ apiKey }), or accept its own login with codex({ acceptLogin: true }).",
  ),
  notLoggedIn: authObstacle(
    "NOT_LOGGED_IN",
    "Codex is not logged in; run `codex login`, or set CODEX_API_KEY.",
  ),
}
