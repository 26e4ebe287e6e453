/** Inputs of a run that exercise each guard, as the graph explores them and as tests name them. */
import type { AnyInput } from "../given.ts"
import { digest, failedVerdict, failure, launch, launcher, verdict } from "./words.ts"

const nothingFound = {
  claim: "none",
  process: "none",
  agent: false,
  exit: null,
  startFailure: null,
  ended: null,
  sameBoot: true,
  launcher: null,
}
const claimed = { claim: "launcher", launcher, agent: true }

/** One found folder for each row of the folder's table. */
export const folders = {
  notDelivered: {},
  claimLostWithPower: { sameBoot: false },
  tombstone: { claim: "host" },
  adopt: { ...claimed, process: "alive" },
  elsewhere: { ...claimed, process: "elsewhere" },
  endedByLauncher: { ...claimed, process: "dead", ended: "unattended" },
  exited: { ...claimed, process: "dead", exit: 0 },
  neverStarted: { ...claimed, process: "dead", agent: false },
  execFailed: { ...claimed, process: "dead", agent: false, exit: 127, startFailure: "exec" },
  vanished: { ...claimed, process: "dead" },
} as const
export type Folder = keyof typeof folders

const conclusion = { cursor: 90, terminal: true, verdict, reply: null, explanation: null }
const silent = {
  cursor: 90,
  terminal: false,
  verdict: failedVerdict("crashed"),
  reply: null,
  explanation: null,
}

export const run = {
  requested: {
    type: "requested",
    ...launch,
    turn: "t1",
    run: "t1.1",
    prompt: digest,
    resume: null,
  },
  retry: { type: "retry" },
  interrupt: { type: "interrupt" },
  prepared: { type: "prepared", boot: "boot-1" },
  preparedAfterPowerCut: { type: "prepared", boot: "boot-2" },
  blocked: { type: "blocked", reason: "keyMissing" },
  refused: (kind: string) => ({ type: "refused", failure: failure(kind), explanation: null }),
  launched: { type: "launched" },
  launchFailed: (kind: string) => ({ type: "launchFailed", failure: failure(kind) }),
  tombstoned: { type: "tombstoned" },
  claimLost: { type: "claimLost", launcher },
  found: (folder: Folder): AnyInput => ({ type: "found", ...nothingFound, ...folders[folder] }),
  identified: { type: "identified", cursor: 10, conversation: "c1" },
  spoke: { type: "spoke", cursor: 20 },
  toolStarted: (tool: number, patienceMs: number | null = null) => ({
    type: "toolStarted",
    cursor: 30,
    tool,
    patienceMs,
  }),
  toolCompleted: (tool: number) => ({ type: "toolCompleted", cursor: 40, tool, denied: false }),
  noticed: { type: "noticed", cursor: 50, code: "notJson", count: 1 },
  replied: { type: "resultSeen", ...conclusion },
  repliedBadly: { type: "resultSeen", ...conclusion, verdict: failedVerdict("agent") },
  probed: (timer: string, bytes: number, silentMs: number) => ({ type: "probed", timer, bytes, silentMs }),
  timer: (id: string) => ({ type: "timer", id }),
  ended: (more: object = {}): AnyInput => ({ type: "ended", ...silent, emitted: false, left: [], ...more }),
  endedWithReply: { type: "ended", ...conclusion, emitted: true, left: [] },
} as const

export const spawning: readonly AnyInput[] = [run.requested, run.prepared]
export const active: readonly AnyInput[] = [...spawning, run.found("adopt")]
export const withOpenTools = (count: number): readonly AnyInput[] => [
  ...active,
  ...Array.from({ length: count }, (_, tool) => run.toolStarted(tool)),
]

export const runInputs: readonly AnyInput[] = [
  run.requested,
  run.retry,
  run.interrupt,
  run.prepared,
  run.preparedAfterPowerCut,
  run.blocked,
  run.refused("config"),
  run.launched,
  run.launchFailed("binary"),
  run.tombstoned,
  run.claimLost,
  ...(Object.keys(folders) as Folder[]).map(run.found), // keys of a literal are its keys
  run.identified,
  run.spoke,
  run.toolStarted(0),
  run.toolStarted(1, 9_000),
  run.toolCompleted(0),
  run.noticed,
  run.replied,
  run.repliedBadly,
  ...["firstOutput", "idle", "total"].flatMap(timer => [
    run.timer(timer),
    run.probed(timer, 0, 0),
    run.probed(timer, 1, 0),
    run.probed(timer, 1, 99_000),
  ]),
  run.timer("claim"),
  run.timer("elsewhere"),
  run.timer("none"),
  run.ended(),
  run.ended({ left: [7] }),
  run.endedWithReply,
]

/**
 * What of the context makes two states of a run different for its guards. The boot is only asked about before
 * there is a process, and a conclusion only whether there is one.
 */
export const runKey = (context: Readonly<Record<string, unknown>>): unknown => [
  context.launcher === null && context.reason === null && context.boot,
  context.reason,
  context.conclusion === null,
  Array.isArray(context.openTools) ? Math.min(context.openTools.length, 2) : 0,
]
