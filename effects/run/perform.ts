/**
 * The effects of a run, one function each: from the request to its first outcome, as inputs for the run. They
 * touch the world and report; what an outcome means is the machine's to say.
 */
import { mkdir, realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import type { Input } from "../../machines/kernel.ts"
import { type BlockReason, type Failure, streamOf } from "../../machines/words.ts"
import type { Text } from "../../store/types.ts"
import type { AgentAdapter, Obstacle } from "../agent.ts"
import { Log } from "../log.ts"
import type { Moments } from "../moments.ts"
import { type EndRequest, Processes, type Rung } from "../process/end.ts"
import { Identities } from "../process/identity.ts"
import { RunFolderError } from "../run-folder/errors.ts"
import { RunFolders } from "../run-folder/folder.ts"
import { Settings } from "../settings.ts"
import { goOn, lookAsOwner } from "./adopt.ts"
import { AdapterError, ask } from "./ask.ts"
import { look } from "./found.ts"
import { keptText } from "./kept-text.ts"
import { type AboutRun, runKnowledge } from "./knowledge.ts"
import { RunWatches } from "./watches.ts"

/** What an effect found out: inputs for its own stream, with the texts they name. */
export interface Outcome<R = never> {
  readonly inputs: readonly Input[]
  readonly texts?: readonly Text[]
  /** To be done once the outcome is durable. */
  readonly done?: Effect.Effect<void, unknown, R>
}
export type RunNeeds = Log | Settings | Identities | Processes | RunFolders | RunWatches | Moments
const outcome = (input: Input): Outcome => ({ inputs: [input] })
const blocked = (reason: BlockReason) => outcome({ type: "blocked", reason })
const refused = (failure: Failure) => outcome({ type: "refused", failure, explanation: null })
const hostFailure = (code: string, retryable: boolean): Failure => ({ kind: "host", code, retryable })
const config = (code: string): Failure => ({ kind: "config", code, retryable: false })

/** The explanation is for people: it goes where texts go, never into the log. */
function obstructed(log: Log["Service"], session: string, obstacle: Obstacle): Outcome {
  const { kind, code, retryable } = obstacle
  const { reference, text } = keptText(log.store, session, obstacle.explanation)
  const input = { type: "refused", failure: { kind, code, retryable }, explanation: reference }
  return { inputs: [input], texts: text }
}

export const prepare = Effect.fn("prepare")(
  function* (run: string) {
    const { about } = yield* runKnowledge(run)
    const settings = yield* Settings
    const log = yield* Log
    const adapter = settings.agents.get(about.agent)
    if (adapter === undefined) return blocked("adapterMissing")
    if (adapter.checkKey(settings.env) !== null) return blocked("keyMissing")
    const cwd = yield* physicalFolder(about.cwd)
    if (cwd === null) return refused(config("CWD_MISSING"))
    const located = yield* ask(async () => adapter.locate(settings.env))
    if ("code" in located) return obstructed(log, about.session, located)
    const request = yield* runRequest(adapter, about, cwd)
    if (
      request.resume !== null &&
      (yield* conversationIsGone(adapter, { ...request, resume: request.resume }))
    )
      return refused({ kind: "resumeLost", code: "RESUME_LOST", retryable: true })
    const prompt = log.store.readText(about.session, about.prompt)
    if (prompt === null) return refused(hostFailure("PROMPT_MISSING", false))
    const { binary, args } = yield* ask(async () => adapter.invocation(located.binary, request, settings.env))
    const own = (yield* Identities).own()
    const folders = yield* RunFolders
    const { unattendedMs, maxSpoolBytes, signalGraceMs } = about.limits
    const preparation = {
      run,
      prompt,
      owner: own,
      spec: {
        binary,
        args: [...args],
        cwd,
        unattendedLimitMs: unattendedMs,
        maxSpoolBytes,
        endGraceMs: Math.max(1, signalGraceMs),
        tickMs: Math.min(1_000, unattendedMs),
      },
    }
    yield* folders.prepare(preparation).pipe(
      // An earlier host meant another binary, and nobody has started it: this host's word counts.
      Effect.catchIf(
        error => error.code === "CONFLICT",
        () => folders.remove(run).pipe(Effect.andThen(folders.prepare(preparation))),
      ),
    )
    return outcome({ type: "prepared", boot: own.boot })
  },
  Effect.catchIf(isOurs, error => Effect.succeed(refused(asFailure(error)))),
)

export const launch = Effect.fn("launch")(
  function* (run: string) {
    const { about } = yield* runKnowledge(run)
    const settings = yield* Settings
    const adapter = settings.agents.get(about.agent)
    if (adapter === undefined) return blocked("adapterMissing")
    if (adapter.checkKey(settings.env) !== null) return blocked("keyMissing")
    const folders = yield* RunFolders
    const watches = yield* RunWatches
    const request = yield* runRequest(adapter, about, about.cwd)
    const spec = (yield* folders.read(run))?.spec
    const invocation = yield* ask(async () => adapter.invocation(spec?.binary ?? "", request, settings.env))
    const env = { ...adapter.childEnvironment(settings.env), ...invocation.env }
    // Looked at in the same tick as the spawn: after an interrupt nothing is started any more.
    if ((yield* runKnowledge(run)).state !== "spawning") return yield* launchFailed(run, withdrawn)
    const { gone } = yield* folders.launch(run, env)
    yield* watches.follow(run)
    yield* Effect.forkDetach(reportUnclaimed(run, gone))
    return outcome({ type: "launched" })
  },
  (launching, run) => launching.pipe(Effect.catchIf(isOurs, error => launchFailed(run, asFailure(error)))),
)

/** After a crash: a launcher may have been started, and its claim tells. */
export const askLaunch = Effect.fn("askLaunch")(function* (run: string) {
  const { boot } = yield* runKnowledge(run)
  const seen = yield* lookAsOwner(run, boot)
  const inputs = [{ type: "found", ...seen.found }]
  return { inputs, done: goOn(run, seen.row) } satisfies Outcome<RunNeeds>
})

/** A launcher that is gone without a claim never will have one: without this, its run would wait for ever. */
const reportUnclaimed = Effect.fnUntraced(
  function* (run: string, gone: Promise<number | null>) {
    yield* Effect.promise(() => gone)
    const log = yield* Log
    const folders = yield* RunFolders
    if ((yield* folders.read(run))?.claim != null) return
    const { inputs } = yield* launchFailed(run, { kind: "transient", code: "NEVER_CLAIMED", retryable: true })
    yield* log.append({ stream: streamOf.run(run), inputs, actor: "host", correlation: run })
  },
  Effect.catchCause(cause =>
    Effect.logWarning("a launcher ended, and its run's folder cannot be read", cause),
  ),
)

const withdrawn: Failure = { kind: "host", code: "LAUNCH_WITHDRAWN", retryable: true }

/** Before a launch is called failed, nobody may be able to claim any more; until that is sure it is tried again. */
const launchFailed = Effect.fn("launchFailed")(function* (run: string, failure: Failure) {
  const folders = yield* RunFolders
  const claim = yield* folders.claimByHost(run).pipe(Effect.retry(Schedule.spaced("1 second")))
  return outcome(claim === "lost" ? { type: "launched" } : { type: "launchFailed", failure })
})

export const tombstone = Effect.fn("tombstone")(function* (run: string) {
  const folders = yield* RunFolders
  if ((yield* folders.claimByHost(run)) === "tombstoned") return outcome({ type: "tombstoned" })
  const claim = (yield* folders.read(run))?.claim
  return claim?.by === "launcher"
    ? outcome({ type: "claimLost", launcher: claim.identity })
    : outcome({ type: "tombstoned" })
})

export const probe = Effect.fn("probe")(function* (run: string, timer: string) {
  const watch = yield* (yield* RunWatches).open(run)
  yield* watch.drain
  return outcome({ type: "probed", timer, ...watch.silence() })
})

export const end = Effect.fn("end")(function* (run: string, mode: EndMode) {
  const { about, boot, reason } = yield* runKnowledge(run)
  const settings = yield* Settings
  const folders = yield* RunFolders
  const processes = yield* Processes
  const watches = yield* RunWatches
  const watch = yield* watches.take(run)
  const before = yield* folders.read(run)
  const adapter = settings.agents.get(about.agent)
  if (mode === "afterResult") yield* waitForExit(run, about.limits.resultGraceMs)
  const { left } = yield* processes.end({
    run,
    launcher: before?.claim?.by === "launcher" ? before.claim.identity : null,
    agent: (yield* folders.read(run))?.agent ?? before?.agent ?? null,
    ladder: ladderOf(mode, about.limits.signalGraceMs),
    ...(adapter?.isSharedDaemon && { spare: (line: string) => adapter.isSharedDaemon?.(line) ?? false }),
  } satisfies EndRequest)
  if (left.length > 0)
    yield* Effect.logWarning("processes are left", { pids: left.map(process => process.pid) })
  yield* watch.finish
  const status = (yield* folders.read(run))?.exit?.status ?? null
  const { said, noticed, texts } = yield* watch.conclude(status)
  const { ended: terminal, emitted, cursor } = watch.observer
  const pids = left.map(process => process.pid).slice(0, 64)
  const ended = { type: "ended", cursor, terminal, ...said, emitted, left: pids }
  // A shell of a dead launcher may have started the program after all; now that all are dead the folder is final.
  const again = reason === "neverStarted" ? [{ type: "found", ...(yield* look(run, boot)).found }] : []
  return {
    done: Effect.sync(() => watches.forget(run)),
    inputs: [...again, ...(terminal ? [] : noticed), ended],
    texts,
  }
})
export type EndMode = "afterResult" | "interrupt" | "sweep"

function ladderOf(mode: EndMode, graceMs: number): readonly Rung[] {
  const politely: readonly Rung[] = mode === "interrupt" ? [{ signal: "SIGINT", graceMs }] : []
  return [...politely, { signal: "SIGTERM", graceMs }, { signal: "SIGKILL", graceMs: 5_000 }]
}

/** A program that ends by itself after its terminal line is not disturbed. */
const waitForExit = Effect.fnUntraced(function* (run: string, graceMs: number) {
  const folders = yield* RunFolders
  const exited = folders.read(run).pipe(Effect.map(folder => folder === null || folder.exit !== null))
  const wait = Effect.gen(function* () {
    while (!(yield* exited)) yield* Effect.sleep(10)
  })
  yield* wait.pipe(Effect.timeoutOption(graceMs))
})

const runRequest = Effect.fnUntraced(function* (adapter: AgentAdapter, about: AboutRun, cwd: string) {
  const settings = yield* Settings
  const configDir = join(settings.folder, "agents", about.session)
  yield* ask(async () => {
    await mkdir(configDir, { recursive: true, mode: 0o700 })
    await adapter.seedConfig(configDir, settings.env)
  })
  return { model: about.model, cwd, resume: about.resume, approveMcps: false, configDir }
})

const conversationIsGone = Effect.fnUntraced(function* (
  adapter: AgentAdapter,
  request: Parameters<AgentAdapter["hasConversation"]>[0],
) {
  const settings = yield* Settings
  return (yield* ask(() => adapter.hasConversation(request, settings.env))) === "no"
})

const physicalFolder = (cwd: string) =>
  Effect.promise(async () => {
    try {
      const path = await realpath(cwd)
      return (await stat(path)).isDirectory() ? path : null
    } catch {
      return null
    }
  })

/** What ends a run instead of being tried again: an adapter's answer, or a folder that cannot be used. */
function isOurs(error: unknown): error is AdapterError | RunFolderError {
  return error instanceof AdapterError || error instanceof RunFolderError
}
function asFailure(error: AdapterError | RunFolderError): Failure {
  return error instanceof AdapterError
    ? error.failure
    : hostFailure(`RUN_FOLDER_${error.code}`, error.retryable)
}
