/** Finds Codex' CLI: the host's choice, then HOLDFAST_CODEX_BIN, then `codex` on the PATH the child will have. */
import type { Environment } from "../../../effects/agent.ts"
import { variable } from "../common/environment.ts"
import { type Located, locateChosen, type Search } from "../common/locate.ts"
import { install } from "./obstacles.ts"

export function locate(env: Environment, search: Search): Promise<Located> {
  const chosen = search.binary?.trim() || variable(env, "HOLDFAST_CODEX_BIN")
  return locateChosen(chosen ?? "codex", search, install)
}
