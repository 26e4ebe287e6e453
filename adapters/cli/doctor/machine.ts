/** Whether this machine has what Holdfast stands on: Node, a shell for the launcher, a process table that can be read. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { ownIdentity } from "../../../effects/process/identity.ts"
import { look } from "../../../effects/process/table.ts"
import { broken, type Finding, fine, warning } from "./finding.ts"

export const machineFindings = (): readonly Finding[] => [
  fine("NODE", `Node ${process.versions.node}.`), // an older one is refused before any verb is loaded
  process.platform === "win32"
    ? warning("NO_LAUNCHER", "On Windows a run ends with its host; use Linux or macOS where it has to go on.")
    : shell("/bin/sh"),
  processes(),
]

/** With the words that the launcher needs most: an exclusive file, a trap, a signal. */
export function shell(path: string): Finding {
  const asked = spawnSync(path, ["-c", "set -C; trap : INT TERM HUP; kill -0 $$ && echo usable"], {
    encoding: "utf8",
    timeout: 10_000,
  })
  if (asked.stdout?.trim() === "usable") return fine("SHELL", `${path} is usable.`)
  return broken(
    "SHELL_UNUSABLE",
    `${path} does not run as a POSIX shell; every run needs it. Install one there.`,
  )
}

function processes(): Finding {
  try {
    ownIdentity()
    if (look === "proc") readFileSync("/proc/self/environ")
    return fine("PROCESSES", look === "proc" ? "/proc can be read." : "`ps` can be asked.")
  } catch {
    return broken(
      "PROCESSES_UNREADABLE",
      "The process table cannot be read, so no process could be known again after a crash. Mount /proc.",
    )
  }
}
