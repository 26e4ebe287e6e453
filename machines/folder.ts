/**
 * The run folder as everybody sees it: which files were published, in which order, and whose process is dead. It
 * is no stream of the log and asks for nothing; it says which publication is possible after which. A second
 * claim, an exit before the agent's end, an agent without a claim are rejected here, as the files make them
 * impossible there. It must not know what a folder means for a turn: that is the table's part.
 */
import { assign, setup } from "xstate"
import { z } from "zod"
import { type Found, found } from "./folder-table.ts"
import { command, defineMachine, type InputOf, observation, requests, timerInput } from "./kernel.ts"
import { processIdentity } from "./words.ts"

/** Files that are published without fsync, so that a power cut may take any of them. */
export const unsyncedFile = z.enum(["claim", "agent", "exit", "ended"])
export type UnsyncedFile = z.infer<typeof unsyncedFile>

export const folderContext = z.strictObject({
  claim: found.shape.claim,
  /** Who claimed, if a launcher did. */
  launcher: processIdentity.nullable(),
  launcherAlive: z.boolean(),
  /** The `agent` file: the program was started, as this process. */
  agent: processIdentity.nullable(),
  agentAlive: z.boolean(),
  exit: found.shape.exit,
  startFailure: found.shape.startFailure,
  ended: found.shape.ended,
  /** The host that owns the run; replaced on adoption. */
  owner: processIdentity.nullable(),
})
export type FolderContext = z.infer<typeof folderContext>

const inputs = {
  prepared: command(z.strictObject({ owner: processIdentity })),
  owned: command(z.strictObject({ owner: processIdentity })),
  claimedByLauncher: command(z.strictObject({ launcher: processIdentity })),
  claimedByHost: command(z.strictObject({})),
  agentStarted: command(z.strictObject({ agent: processIdentity })),
  /** The program could not be executed, so it never was started after all. */
  agentTakenBack: command(z.strictObject({})),
  exitPublished: command(
    z.strictObject({ status: z.int().nonnegative(), failure: found.shape.startFailure }),
  ),
  endedPublished: command(z.strictObject({ reason: found.shape.ended.unwrap() })),
  launcherDied: observation(z.strictObject({})),
  agentDied: observation(z.strictObject({})),
  /** Every process is dead, and these files are gone. */
  powerLost: observation(z.strictObject({ lost: z.array(unsyncedFile) })),
  timer: timerInput,
}
type Inputs = InputOf<typeof inputs>
type On<T extends Inputs["type"]> = { context: FolderContext; event: Extract<Inputs, { type: T }> }

const machine = setup({
  types: {} as { context: FolderContext; events: Inputs },
  actions: requests({}),
  guards: {
    launcherLives: ({ context }) => context.launcherAlive,
    agentLives: ({ context }) => context.agentAlive,
    reaped: ({ context }) => context.launcherAlive && !context.agentAlive,
    isOver: ({ context }) => context.claim === "launcher" && context.exit !== null,
    isStarted: ({ context }) => context.claim === "launcher" && context.agent !== null,
    isClaimed: ({ context }) => context.claim === "launcher",
    isTombstoned: ({ context }) => context.claim === "host",
  },
}).createMachine({
  id: "folder",
  context: {
    claim: "none",
    launcher: null,
    launcherAlive: false,
    agent: null,
    agentAlive: false,
    exit: null,
    startFailure: null,
    ended: null,
    owner: null,
  },
  initial: "absent",
  options: { maxIterations: 8 },
  states: {
    absent: {
      on: {
        prepared: { target: "prepared", actions: assign(own) },
        claimedByHost: { target: "tombstoned", actions: assign({ claim: "host" }) },
      },
    },
    prepared: {
      on: {
        prepared: { actions: assign(own) },
        owned: { actions: assign(own) },
        claimedByLauncher: { target: "claimed", actions: assign(claim) },
        claimedByHost: { target: "tombstoned", actions: assign({ claim: "host" }) },
        powerLost: { target: "judging", actions: assign(loseFiles) },
      },
    },
    tombstoned: {
      on: { powerLost: { target: "judging", actions: assign(loseFiles) } },
    },
    claimed: {
      on: {
        owned: { actions: assign(own) },
        // Also after the launcher's death: the shell that becomes the agent is a process of its own.
        agentStarted: { target: "started", actions: assign(start) },
        exitPublished: { guard: "launcherLives", target: "over", actions: assign(exit) },
        endedPublished: { guard: "launcherLives", actions: assign({ ended: ({ event }) => event.reason }) },
        launcherDied: { actions: assign({ launcherAlive: false }) },
        powerLost: { target: "judging", actions: assign(loseFiles) },
      },
    },
    started: {
      on: {
        owned: { actions: assign(own) },
        agentTakenBack: {
          guard: "agentLives",
          target: "claimed",
          actions: assign({ agent: null, agentAlive: false }),
        },
        agentDied: { actions: assign({ agentAlive: false }) },
        exitPublished: { guard: "reaped", target: "over", actions: assign(exit) },
        endedPublished: { guard: "launcherLives", actions: assign({ ended: ({ event }) => event.reason }) },
        launcherDied: { actions: assign({ launcherAlive: false }) },
        powerLost: { target: "judging", actions: assign(loseFiles) },
      },
    },
    over: {
      on: {
        launcherDied: { actions: assign({ launcherAlive: false }) },
        powerLost: { target: "judging", actions: assign(loseFiles) },
      },
    },
    judging: {
      always: [
        { guard: "isOver", target: "over" },
        { guard: "isStarted", target: "started" },
        { guard: "isClaimed", target: "claimed" },
        { guard: "isTombstoned", target: "tombstoned" },
        { target: "prepared" },
      ],
    },
  },
})

function own({ event }: On<"prepared" | "owned">): Partial<FolderContext> {
  return { owner: event.owner }
}
function claim({ event }: On<"claimedByLauncher">): Partial<FolderContext> {
  return { claim: "launcher", launcher: event.launcher, launcherAlive: true }
}
function start({ event }: On<"agentStarted">): Partial<FolderContext> {
  return { agent: event.agent, agentAlive: true }
}
function exit({ event }: On<"exitPublished">): Partial<FolderContext> {
  return { exit: event.status, startFailure: event.failure }
}
function loseFiles({ context, event }: On<"powerLost">): Partial<FolderContext> {
  const kept = (file: UnsyncedFile) => !event.lost.includes(file)
  return {
    launcherAlive: false,
    agentAlive: false,
    claim: kept("claim") ? context.claim : "none",
    launcher: kept("claim") ? context.launcher : null,
    agent: kept("agent") ? context.agent : null,
    exit: kept("exit") ? context.exit : null,
    startFailure: kept("exit") ? context.startFailure : null,
    ended: kept("ended") ? context.ended : null,
  }
}

/** What one host reads in the folder: `here` tells whether it can judge the processes of the run. */
export function seenBy(
  folder: FolderContext,
  { sameBoot, here }: { readonly sameBoot: boolean; readonly here: boolean },
): Found {
  const { claim: by, launcher, launcherAlive, agent, agentAlive, exit: status, startFailure, ended } = folder
  const judged = launcherAlive || agentAlive ? "alive" : "dead"
  const process = by !== "launcher" ? "none" : here || !sameBoot ? judged : "elsewhere"
  return { claim: by, process, agent: agent !== null, exit: status, startFailure, ended, sameBoot, launcher }
}

/** The run folder as a machine: what its writers do in which order, for models and diagrams. It is in no log. */
export const folder = defineMachine({
  name: "folder",
  version: 1,
  inputs,
  effects: {},
  context: folderContext,
  machine,
  refuse(state, _snapshot, input) {
    const claims = input.type === "claimedByLauncher" || input.type === "claimedByHost"
    if (state === "absent") return "NOT_PREPARED"
    if (claims) return "CLAIMED"
    if (state === "tombstoned") return "TOMBSTONED"
    if (state === "over") return "OVER"
    if (state === "prepared") return "NOT_CLAIMED"
    if (input.type === "agentStarted") return "STARTED"
    if (input.type === "exitPublished") return "NOT_REAPED"
    return null
  },
})
