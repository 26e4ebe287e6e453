/**
 * The run folder as a host uses it: prepare, launch, read, claim, own, remove. Each file is published in one
 * step and means something alone. Nothing here decides what a folder means for a turn, and nothing here
 * signals a process.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { id, type ProcessIdentity } from "../../machines/words.ts"
import { createExclusively, ensureFolder, replaceFile } from "./durable.ts"
import { type RunFolderError, runFolderError } from "./errors.ts"
import { formatIdentity, parseClaim, TOMBSTONE } from "./files.ts"
import { type Launched, spawnLauncher } from "./launch.ts"
import { type Preparation, prepareFolder } from "./prepare.ts"
import { type RunFolderState, readFolder, readSpec, readText } from "./read.ts"
import { removeFolder } from "./remove.ts"

export type { Launched, Preparation, RunFolderState }

type Done<A> = Effect.Effect<A, RunFolderError>

/** The folders of the runs under one state folder. */
export class RunFolders extends Context.Service<
  RunFolders,
  {
    readonly path: (run: string) => string
    readonly stdoutPath: (run: string) => string
    readonly stderrPath: (run: string) => string
    /** Repeatable: what is there and equal is left alone; another prompt or spec is a `CONFLICT`. */
    readonly prepare: (preparation: Preparation) => Done<void>
    /**
     * Starts the launcher with what `prepare` wrote. Returns when the spawn succeeded or failed; the pid that
     * counts is the one in `claim`. `env` is the agent's whole environment; the run's mark is added here.
     */
    readonly launch: (run: string, env: Readonly<Record<string, string>>) => Done<Launched>
    /** Null when there is no such folder. */
    readonly read: (run: string) => Done<RunFolderState | null>
    /** Repeatable. `tombstoned`: it never starts. `lost`: a launcher was first. */
    readonly claimByHost: (run: string) => Done<"tombstoned" | "lost">
    readonly writeOwner: (run: string, owner: ProcessIdentity) => Done<void>
    /** Repeatable. Never for a run that may still be started or is still running. */
    readonly remove: (run: string) => Done<void>
  }
>()("holdfast/effects/run-folder/RunFolders") {
  /** @param root the state folder, mode 0700, on a local file system. */
  static readonly layer = (root: string): Layer.Layer<RunFolders> =>
    Layer.sync(RunFolders, () => RunFolders.of(runFolders(root)))
}

function runFolders(root: string): RunFolders["Service"] {
  // An id is a file name as it is, and never a way out of the folder.
  const path = (run: string) => join(root, "runs", id.parse(run))
  const attempt = <A>(operation: string, run: string, act: (path: string) => A): Done<A> =>
    Effect.try({ try: () => act(path(run)), catch: cause => runFolderError(operation, run, cause) })
  return {
    path,
    stdoutPath: run => join(path(run), "stdout"),
    stderrPath: run => join(path(run), "stderr"),
    prepare: preparation => attempt("prepare", preparation.run, folder => prepareFolder(folder, preparation)),
    launch: Effect.fn("RunFolders.launch")(function* (run, env) {
      const spec = yield* attempt("launch", run, readSpec)
      return yield* spawnLauncher({ run, path: path(run), spec, env })
    }),
    read: run => attempt("read", run, folder => (existsSync(folder) ? readFolder(folder) : null)),
    claimByHost: run => attempt("claimByHost", run, claimByHost),
    writeOwner: (run, owner) =>
      attempt("writeOwner", run, folder => replaceFile(join(folder, "owner"), formatIdentity(owner))),
    remove: run => attempt("remove", run, removeFolder),
  }
}

/** Also without a folder: then a launcher that comes late finds the tombstone. */
function claimByHost(folder: string): "tombstoned" | "lost" {
  ensureFolder(folder)
  if (createExclusively(join(folder, "claim"), TOMBSTONE) === "created") return "tombstoned"
  return parseClaim(readText(folder, "claim"))?.by === "host" ? "tombstoned" : "lost"
}
