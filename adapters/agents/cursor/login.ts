/**
 * Whether Cursor's CLI is logged in, read from what `status` prints, since its exit code is 0 in both cases (AU-02).
 */
import { stripVTControlCharacters } from "node:util"
import type { LoginQuestion } from "../common/status.ts"
import { obstacles } from "./obstacles.ts"

export const login: LoginQuestion = {
  args: ["status"],
  isLoggedIn: ({ text }) => saysLoggedIn(text),
  obstacle: obstacles.notLoggedIn,
}

/** Only the plain words count; anything else is not a login. */
export function saysLoggedIn(text: string): boolean {
  const clean = stripVTControlCharacters(text)
  return /\blogged in as\b/i.test(clean) && !/\bnot logged in\b/i.test(clean)
}
