/**
 * Starting the launcher: detached, with nothing of ours open in it. It returns at the spawn and never waits for
 * the run; what became of the run is read from its folder.
 */
import { spawn } from "node:child_process"
import { Effect } from "effect"
import { here } from "../process/identity.ts"
import { RUN_VARIABLE, runMark } from "../process/signals.ts"
import { look as systemsLook } from "../process/table.ts"
import { type RunFolderError, runFolderError } from "./errors.ts"
import type { RunSpec } from "./files.ts"
import { LAUNCHER_SH } from "./launcher.sh.ts"
import { STARTER_SH } from "./starter.sh.ts"

/** Its path is fixed by nearly every system that is not Windows; the agent's PATH has no say in it. */
const SHELL = "/bin/sh"

export interface Launched {
  /** For diagnostics only: it is not an identity. */
  readonly pid: number
  /**
   * Resolves when the launcher ended while this host lives, with its exit code (null: by a signal); never
   * rejects, keeps nothing alive. 0: the folder says all. 75: another claim was first. 73: it could not claim,
   * and the prompt was not delivered.
   */
  readonly gone: Promise<number | null>
}

export interface Launch {
  readonly run: string
  readonly path: string
  readonly spec: RunSpec
  /** The agent's whole environment, without the run's mark. */
  readonly env: Readonly<Record<string, string>>
  /** Another POSIX shell, by its absolute path; for tests. */
  readonly shell?: string
  /** Another way to look at processes than this system's; for tests. */
  readonly look?: "proc" | "ps"
}

export function spawnLauncher(launch: Launch): Effect.Effect<Launched, RunFolderError> {
  return Effect.callback(resume => {
    const { shell = SHELL } = launch
    const failed = (cause: unknown) => resume(Effect.fail(runFolderError("launch", launch.run, cause)))
    try {
      const child = spawn(shell, ["-c", LAUNCHER_SH, ...launcherArguments(launch, shell)], {
        detached: true,
        stdio: "ignore",
        // Not ours, which may be gone; the launcher enters the agent's.
        cwd: "/",
        env: { ...launch.env, [RUN_VARIABLE]: launch.run },
      })
      const gone = new Promise<number | null>(resolve => child.once("exit", resolve))
      child.once("error", failed)
      child.once("spawn", () => resume(Effect.succeed({ pid: child.pid ?? 0, gone })))
      child.unref()
    } catch (cause) {
      failed(cause)
    }
  })
}

/** In the order that the launcher expects; each value is one parameter, whatever it contains. */
function launcherArguments(
  { run, path, spec, look = systemsLook }: Launch,
  shell: string,
): readonly string[] {
  const place = here()
  const ticks = (ms: number) => String(Math.max(1, Math.ceil(ms / spec.tickMs)))
  return [
    runMark(run),
    shell,
    STARTER_SH,
    path,
    spec.cwd,
    look,
    place.boot,
    place.namespace,
    place.host,
    String(spec.tickMs / 1000),
    ticks(spec.unattendedLimitMs),
    String(spec.maxSpoolBytes),
    ticks(spec.endGraceMs),
    spec.binary,
    ...spec.args,
  ]
}
