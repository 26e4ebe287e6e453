/**
 * One turn's command line. The order is fixed so that records of runs compare; the prompt is not here, and no
 * variable below is a secret: both may be written to a run's `spec`.
 */
import type { Invocation, RunRequest } from "../../../effects/agent.ts"
import { checkConversation, checkModel } from "../common/arguments.ts"

export interface CommandLine {
  /** Arguments before Cursor's own, e.g. the script that a runtime is to run. */
  readonly leadingArgs: readonly string[]
  readonly extraArgs: readonly string[]
}

export function invocation(binary: string, request: RunRequest, line: CommandLine): Invocation {
  return {
    binary,
    args: [...line.leadingArgs, ...turnArguments(request), ...line.extraArgs],
    // Private per session: parallel starts race on the file that the CLI rewrites at every start (CF-01).
    env: { CURSOR_CONFIG_DIR: request.configDir },
  }
}

function turnArguments(request: RunRequest): readonly string[] {
  return [
    "-p",
    ...["--output-format", "stream-json", "--stream-partial-output"],
    // `--force` passes the trust gate of this run; `--trust` is what some builds ask for as well (WT-04).
    ...["--force", "--trust"],
    // Omitting the model would run whatever a person last picked, so `auto` is said too.
    ...["--model", checkModel(request.model)],
    ...(request.resume === null ? [] : ["--resume", checkConversation(request.resume)]),
    // It approves the repository's own servers too (CF-05): only when a lease is confirmed for this turn.
    ...(request.approveMcps ? ["--approve-mcps"] : []),
  ]
}
