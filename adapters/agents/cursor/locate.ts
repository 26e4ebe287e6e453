/**
 * Finds Cursor's CLI: the host's choice, then HOLDFAST_CURSOR_BIN, then `cursor-agent` and `agent` on the PATH
 * the child will have.
 */
import { basename } from "node:path"
import type { Environment } from "../../../effects/agent.ts"
import { variable } from "../common/environment.ts"
import { type Located, locateChosen, onPath, type Search } from "../common/locate.ts"
import { obstacles as common } from "../common/obstacles.ts"
import { readVersion } from "../common/version.ts"
import { install, obstacles } from "./obstacles.ts"

const ownName = "cursor-agent"
/** Cursor's newer name, which other tools have too: one found under it has to say who it is. */
const genericName = "agent"

/** Cursor's CLI says a date and a commit, and nothing else. */
const cursorVersion = /^v?\d{4}\.\d{2}\.\d{2}(?:-\d{2}-\d{2}-\d{2})?-[0-9a-f]{7,40}$/

export async function locate(env: Environment, search: Search): Promise<Located> {
  const chosen = search.binary?.trim() || variable(env, "HOLDFAST_CURSOR_BIN")
  if (chosen !== null) return notEditor(await locateChosen(chosen, search, install), chosen)
  if ((await onPath(ownName, search)) !== null) return locateChosen(ownName, search, install)
  const generic = await onPath(genericName, search)
  if (generic === null) return common.notFound(`${ownName} or ${genericName}`, install)
  const located = await locateChosen(generic, search, install)
  if (!("binary" in located)) return located
  const version = await readVersion(located.binary, [], search.childEnvironment)
  const isCursor = version.kind === "version" && cursorVersion.test(version.version)
  return isCursor ? located : obstacles.notCursor(generic)
}

function notEditor(located: Located, chosen: string): Located {
  const path = "binary" in located ? located.binary : chosen
  return /^cursor(?:\.(?:exe|cmd|appimage))?$/i.test(basename(path)) ? obstacles.isEditor(path) : located
}
