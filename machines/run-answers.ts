/**
 * What the run's table computes: the context after an input, and the parameters of what it asks for. Each is
 * a pure function that the table names; none chooses a state, and what is told to the turn is in `run-reports.ts`.
 */
import { type Found, type FoundRow, rowOf, type StartFailure } from "./folder-table.ts"
import { orThrow } from "./kernel.ts"
import { type Context, type In, type On, watchdog } from "./run-inputs.ts"
import type { CloseReason, Failure } from "./words.ts"

/** Rows of the folder's table after which the run is over, wherever they are found. */
export const overReasons: Partial<Record<FoundRow, (folder: Found) => CloseReason>> = {
  endedByLauncher: folder => orThrow(folder.ended),
  exited: () => "exited",
  neverStarted: () => "neverStarted",
  vanished: () => "vanished",
}
/** A program that vanished between the look and the start may be there again: an update replaces it so. */
const startFailures: Record<StartFailure, Failure> = {
  cwd: { kind: "config", code: "CWD_MISSING", retryable: false },
  prompt: { kind: "host", code: "PROMPT_DAMAGED", retryable: false },
  digestTool: { kind: "host", code: "DIGEST_TOOL_MISSING", retryable: false },
  spool: { kind: "host", code: "SPOOL_UNWRITABLE", retryable: false },
  record: { kind: "host", code: "RUN_FOLDER_UNWRITABLE", retryable: false },
  stopped: { kind: "host", code: "STOPPED_BEFORE_START", retryable: true },
  exec: { kind: "transient", code: "BINARY_VANISHED", retryable: true },
}

export function becauseFound({ event }: On<"found">): Partial<Context> {
  const row = rowOf(event)
  // Only of a program that was not started the launcher knows why.
  const why = row === "neverStarted" ? event.startFailure : null
  return {
    reason: overReasons[row]?.(event) ?? "vanished",
    failure: why === null ? null : startFailures[why],
  }
}

export function itself({ context }: In) {
  return { run: orThrow(context.about).run }
}
export function ending(mode: "afterResult" | "interrupt" | "sweep") {
  return ({ context }: In) => ({ ...itself({ context }), mode })
}
export function probeFor({ context, event }: On<"timer">) {
  return { ...itself({ context }), timer: watchdog.parse(event.id) }
}

const awake = (id: string, afterMs: number) => ({ id, afterMs, clock: "awake" as const })
export function claimTimer({ context }: In) {
  return awake("claim", orThrow(context.about).limits.firstOutputMs)
}
export function firstOutputTimer({ context }: In) {
  return awake("firstOutput", orThrow(context.about).limits.firstOutputMs)
}
export function totalTimer({ context }: In) {
  return awake("total", orThrow(context.about).limits.totalMs)
}
export function idleTimer({ context, event }: On<"probed">) {
  return awake("idle", Math.max(1, patienceMs(context) - event.silentMs))
}
export function elsewhereTimer({ context }: In) {
  return { id: "elsewhere", afterMs: orThrow(context.about).limits.unattendedMs, clock: "wall" as const }
}
/** From the first output on, silence is asked about; what the probe finds re-arms it. */
export function quietTimer({ context }: In) {
  return awake("idle", orThrow(context.about).limits.idleMs)
}
/** How long silence is healthy: an open tool call extends it, to what the call itself asked for and more. */
export function patienceMs(context: Context): number {
  const { limits } = orThrow(context.about)
  if (context.openTools.length === 0) return limits.idleMs
  const asked = context.openTools.map(call => (call.patienceMs ?? 0) + limits.idleMs)
  return Math.min(limits.totalMs, Math.max(limits.toolIdleMs, ...asked))
}

export function describe({ event }: On<"requested">): Partial<Context> {
  const { type: _, ...request } = event
  return { about: request }
}
export function rememberBoot({ event }: On<"prepared">): Partial<Context> {
  return { boot: event.boot }
}
export function because(reason: CloseReason) {
  return (): Partial<Context> => ({ reason })
}
export function refuse({ event }: On<"refused">): Partial<Context> {
  return { reason: "refused", failure: event.failure, explanation: event.explanation }
}
export function failToLaunch({ event }: On<"launchFailed">): Partial<Context> {
  return { reason: "neverStarted", failure: event.failure }
}
export function identify({ context, event }: On<"identified">): Partial<Context> {
  return { cursor: event.cursor, conversation: context.conversation ?? event.conversation }
}
/** Which process is meant; the claim or the found folder says, never the spawn call. */
export function meet({ event }: On<"found" | "claimLost">): Partial<Context> {
  return { launcher: event.launcher }
}
export function speak({ event }: On<"spoke" | "toolStarted" | "toolCompleted">): Partial<Context> {
  return { cursor: event.cursor, emitted: true }
}
export function openCall({ context, event }: On<"toolStarted">): Partial<Context> {
  const { tool, patienceMs: asked } = event
  return { ...speak({ context, event }), openTools: [...context.openTools, { tool, patienceMs: asked }] }
}
export function closeCall({ context, event }: On<"toolCompleted">): Partial<Context> {
  return {
    ...speak({ context, event }),
    openTools: context.openTools.filter(call => call.tool !== event.tool),
  }
}
export function conclude({ context, event }: On<"resultSeen">): Partial<Context> {
  const { terminal, verdict: judged, reply, explanation } = event
  return {
    cursor: event.cursor,
    reason: context.reason ?? "turnEnd",
    conclusion: { terminal, verdict: judged, reply, explanation },
  }
}
/** What the terminal line said stands; the end of the spool only speaks where there was none. */
export function end({ context, event }: On<"ended">): Partial<Context> {
  const { terminal, verdict: judged, reply, explanation, left } = event
  return {
    cursor: event.cursor,
    emitted: context.emitted || event.emitted,
    left,
    openTools: [],
    conclusion: context.conclusion ?? { terminal, verdict: judged, reply, explanation },
  }
}
