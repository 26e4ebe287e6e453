/** Whether Codex is logged in: it says so by its exit code. */
import type { LoginQuestion } from "../common/status.ts"
import { obstacles } from "./obstacles.ts"

export const login: LoginQuestion = {
  args: ["login", "status"],
  isLoggedIn: ({ exitCode }) => exitCode === 0,
  obstacle: obstacles.notLoggedIn,
}
